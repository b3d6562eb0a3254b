import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { newPassword, normalizeName, personName, pupilName } from './fields.ts';
import { stripAccents } from './strip-accents.ts';

const anyText = fc.string({ unit: 'grapheme', maxLength: 40 });
const mark = fc.constantFrom('\u0300', '\u0301', '\u0308', '\u0327', '\u0328', '\u030C');

describe('stripAccents', () => {
  test.each([
    ['Łukasz Nguyễn', 'Lukasz Nguyen'],
    ['Þóra Æsa Ø', 'Thora AEsa O'],
    ['Straße', 'Strasse'],
    ['Əli Şükrü İpek ırmak', 'Eli Sukru Ipek irmak'],
    ["Siân O'Hara-Ŵyn", "Sian O'Hara-Wyn"],
  ])('%s gives %s', (text, plain) => {
    expect(stripAccents(text)).toBe(plain);
  });

  test('stripAccents does not change ASCII', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => stripAccents(text) === text));
  });

  test('stripAccents returns the same for every Unicode form, and is idempotent', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(stripAccents(text.normalize('NFC'))).toBe(stripAccents(text.normalize('NFD')));
        expect(stripAccents(stripAccents(text))).toBe(stripAccents(text));
      }),
    );
  });

  test('stripAccents removes any marks on letters', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom(...'aceinorsuyzAEOU'), fc.array(mark, { maxLength: 2 })), { minLength: 1 }),
        (letters) => {
          const marked = letters.map(([letter, marks]) => letter + marks.join('')).join('');
          const plain = letters.map(([letter]) => letter).join('');
          expect(stripAccents(marked)).toBe(plain);
          expect(stripAccents(marked.normalize('NFC'))).toBe(plain);
        },
      ),
    );
  });
});

describe('normalizeName', () => {
  const messy = fc
    .array(
      fc.oneof(
        anyText,
        fc.constantFrom(
          ' ',
          '\u00A0',
          '\t',
          '\n',
          '\u2019',
          '\u2018',
          '\u02BC',
          '`',
          '\u00B4',
          '\u2011',
          '\u2013',
          'e\u0301',
          'Å',
          '\u212B',
        ),
      ),
      { maxLength: 8 },
    )
    .map((parts) => parts.join(''));

  test('normalizeName is idempotent', () => {
    fc.assert(fc.property(messy, (text) => normalizeName(normalizeName(text)) === normalizeName(text)));
  });

  test('normalizeName returns NFC, single spaces, no spaces around, plain apostrophes and hyphens', () => {
    fc.assert(
      fc.property(messy, (text) => {
        const name = normalizeName(text);
        expect(name).toBe(name.normalize('NFC'));
        expect(name).toBe(name.trim());
        expect(name).not.toMatch(/\s\s|[^\S ]|[\u2018\u2019\u02BC\u00B4`\u2010-\u2013]/);
      }),
    );
  });

  test('normalizeName returns the same for composed and decomposed letters', () => {
    fc.assert(
      fc.property(messy, (text) => normalizeName(text.normalize('NFD')) === normalizeName(text.normalize('NFC'))),
    );
  });

  test('normalizeName does not change a normalised name', () => {
    for (const name of ["Caoimhe O'Neill", 'Mary-Jane Smith', 'Zoë Łukasik']) expect(normalizeName(name)).toBe(name);
  });
});

describe('pupilName', () => {
  test('the name of a pupil that is accepted is accepted again once stored', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, fc.stringMatching(/^[A-Za-zéñöŁß '-]{0,30}$/)), (text) => {
        const once = pupilName.safeParse(text);
        if (!once.success) return;
        const again = pupilName.safeParse(once.data);
        expect(again.data).toBe(once.data);
        // Letters of no living language, such as U+A722, have no plain spelling.
        expect(stripAccents(once.data)).toMatch(/^[\p{Script=Latin}' -]{2,191}$/u);
        expect(once.data.length).toBeLessThanOrEqual(191);
      }),
    );
  });
});

test('a new password has at least 7 characters', () => {
  expect(newPassword.safeParse('kite 72').success).toBe(true);
  expect(newPassword.safeParse('kite 7').error?.issues.map(({ message }) => message)).toEqual([
    'A password has at least 7 characters.',
  ]);
});

test('a first or last name of staff has at least 2 characters', () => {
  expect(personName('first name').safeParse('Jo').success).toBe(true);
  expect(
    personName('first name')
      .safeParse(' J ')
      .error?.issues.map(({ message }) => message),
  ).toEqual(['The first name has at least 2 characters.']);
});

test('the name of a pupil has 2 to 191 characters', () => {
  const isName = (length: number) => pupilName.safeParse('A'.repeat(length)).success;
  expect([1, 2, 191, 192].map(isName)).toEqual([false, true, true, false]);
});
