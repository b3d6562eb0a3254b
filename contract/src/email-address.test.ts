import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readEmailAddress } from './email-address.ts';
import { email } from './fields.ts';

const ADDRESS = 'sian.ohara@school.sch.uk';

describe('a pasted address', () => {
  test.each([
    [ADDRESS],
    [`  ${ADDRESS}\n`],
    [`Siân O’Hara <${ADDRESS}>`],
    [`"O'Hara, Siân" <${ADDRESS}>`],
    [`Siân <mailto:${ADDRESS}>`],
    [`<${ADDRESS}>`],
    [`(${ADDRESS})`],
    [`mailto:${ADDRESS}`],
    [`MAILTO:${ADDRESS}?subject=Reading`],
    [`"${ADDRESS}"`],
    [`'${ADDRESS}'`],
    [`“${ADDRESS}”`],
    [`‘${ADDRESS}’`],
    [`${ADDRESS}.`],
    [`${ADDRESS},`],
    [`${ADDRESS};`],
    [`${ADDRESS}>`],
    [`Siân O’Hara <${ADDRESS}>;`],
    [`\u200b${ADDRESS}\ufeff`],
    [`sian.\u00adohara@school\u200d.sch.uk`],
    [`\u00a0${ADDRESS}\u202f`],
    ['sian.ohara＠school.sch.uk'],
  ])('%j becomes the address', (typed) => {
    expect(readEmailAddress(typed)).toEqual({ address: ADDRESS });
    expect(email.parse(typed)).toBe(ADDRESS);
  });

  test.each(['’', '‘', 'ʼ', '´', '′'])('with %s for an apostrophe becomes one with the sign of addresses', (sign) => {
    expect(readEmailAddress(`o${sign}hara@school.sch.uk`)).toEqual({ address: "o'hara@school.sch.uk" });
  });

  test.each([
    ['', 'Enter an email address.'],
    [' \u200b ', 'Enter an email address.'],
    ['<>', 'Enter an email address.'],
    ['name', 'Enter an email address such as name@school.sch.uk.'],
    ['name@school', 'Enter an email address such as name@school.sch.uk.'],
    ['name@@school.sch.uk', 'Enter an email address such as name@school.sch.uk.'],
    ['@school.sch.uk', 'Enter an email address such as name@school.sch.uk.'],
    ['a..b@school.sch.uk', 'Enter an email address such as name@school.sch.uk.'],
    [`${ADDRESS}, head@school.sch.uk`, 'This is two addresses. Enter one.'],
    [`${ADDRESS};head@school.sch.uk;a@b.uk`, 'This is three addresses. Enter one.'],
    [`Siân <${ADDRESS}>, Ben <ben@school.sch.uk>`, 'This is two addresses. Enter one.'],
    [`${ADDRESS} <ben@school.sch.uk>`, 'This is two addresses. Enter one.'],
    ['sian ohara@school.sch.uk', 'Remove the space from the email address.'],
    ['sian–ohara@school.sch.uk', 'Remove the – from the email address.'],
    ['siân@school.sch.uk', 'Remove the â from the email address.'],
    ['name@school’s.sch.uk', "Remove the ' from the email address."],
    ['name@my_school.sch.uk', 'Remove the _ from the email address.'],
    ['a(b@school.sch.uk', 'Remove the ( from the email address.'],
    ['name@müller.example', 'Write the part after the @ as xn--mller-kva.example.'],
    ['name@школа.рф', 'Write the part after the @ as xn--80atdl2c.xn--p1ai.'],
    [`${'a'.repeat(250)}@school.sch.uk`, 'An email address has at most 254 characters.'],
  ])('%j is wrong: %s', (typed, fault) => {
    expect(readEmailAddress(typed)).toEqual({ fault });
    expect(email.safeParse(typed).error?.issues.map(({ message }) => message)).toEqual([fault]);
  });

  test('with a punycode domain stays as it is', () => {
    expect(readEmailAddress('name@xn--mller-kva.example')).toEqual({ address: 'name@xn--mller-kva.example' });
  });
});

test('every address that is right stays as it is, so that stored addresses are found', () => {
  const right = fc
    .oneof(fc.emailAddress(), fc.stringMatching(/^[A-Za-z0-9_'+.-]{1,12}@[a-z0-9-]{1,8}\.[a-z]{2,4}$/))
    .filter((address) => z.email().safeParse(address).success && address.length <= 254);
  fc.assert(
    fc.property(right, (address) => {
      expect(readEmailAddress(address)).toEqual({ address });
    }),
  );
});

test('whatever is typed becomes an address that stays as it is, or has a fault', () => {
  const piece = fc.constantFrom('a@b.uk', '<', '>', 'mailto:', '’', '"', "'", ' ', ',', '.', '\u200b', 'ü', '@', '?');
  const typed = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.array(piece, { maxLength: 12 }).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(typed, (line) => {
      const result = readEmailAddress(line);
      if ('address' in result) expect(readEmailAddress(result.address)).toEqual(result);
      else expect(result.fault).toMatch(/\.$/);
    }),
  );
});
