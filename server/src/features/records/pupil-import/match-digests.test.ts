import { utils, write } from '@e965/xlsx';
import { expect, test } from 'vitest';
import { parseBirthDate } from '#contract/birth-date.ts';
import { readConfig } from '../../../config.ts';
import { readWorkbook } from '../../../spreadsheets/workbook.ts';
import { testSettings } from '../../../testing/test-settings.ts';
import {
  createDigester,
  hasOtherBirth,
  hasSameBirth,
  hasSameUpn,
  looksPersonal,
  parseMatch,
  toStored,
} from './match-digests.service.ts';

const TODAY = '2026-11-26';
const KEY = 'a-key-of-these-tests-alone-0123456789';
const NEXT_KEY = 'another-key-of-these-tests-0123456789';
const digesterOf = (keys: object, schoolId = 1) =>
  createDigester(readConfig({ ...testSettings, ...keys }), schoolId, TODAY);
const digest = digesterOf({ SECRETS_KEY: KEY });
const read = (birth: string, upn = '') => parseMatch(digest(birth, upn));
const UPN = 'B801200005001';

test('a date of birth and a UPN in any spelling have one digest each, and neither has none', () => {
  expect(digest('03/02/2018', UPN)).toBe(digest(' 3 Feb 2018 ', ' b801200005001 '));
  expect(digest('', '')).toBeNull();
  expect(digest('soon', 'B801200005002')).toBeNull();
  expect(read('03/02/2018')).toEqual({ births: [expect.any(String)], upns: [] });
  expect(read('', UPN)).toEqual({ births: [], upns: [expect.any(String)] });
  expect(read('03/02/2018', UPN)).toEqual({ births: [expect.any(String)], upns: [expect.any(String)] });
  expect(parseMatch(null)).toEqual({ births: [], upns: [] });
});

test('the same date of birth has different digests in two schools', () => {
  expect(digesterOf({ SECRETS_KEY: KEY }, 2)('03/02/2018', '')).not.toBe(digest('03/02/2018', ''));
});

test('digests tell whether dates of birth and UPNs are the same, different or unknown', () => {
  const [birth, otherBirth, upnOnly] = [read('03/02/2018'), read('04/02/2018'), read('', UPN)];
  expect([hasSameBirth(birth, birth), hasSameBirth(birth, otherBirth), hasSameBirth(birth, upnOnly)]).toEqual([
    true,
    false,
    false,
  ]);
  expect([hasOtherBirth(birth, birth), hasOtherBirth(birth, otherBirth)]).toEqual([false, true]);
  expect([hasOtherBirth(birth, upnOnly), hasOtherBirth(upnOnly, birth)]).toEqual([false, false]);
  expect([hasSameUpn(upnOnly, upnOnly), hasSameUpn(upnOnly, birth), hasSameUpn(birth, birth)]).toEqual([
    true,
    false,
    false,
  ]);
});

test('digests of the earlier key match after a change of the key', () => {
  const changed = digesterOf({ SECRETS_KEY: `${NEXT_KEY},${KEY}` });
  const [before, after] = [read('03/02/2018', UPN), parseMatch(changed('03/02/2018', UPN))];
  expect(after.births).toHaveLength(2);
  expect([hasSameBirth(before, after), hasSameUpn(before, after)]).toEqual([true, true]);
  expect(hasOtherBirth(before, parseMatch(changed('04/02/2018', '')))).toBe(true);
});

test('the newest digests are stored in hexadecimal, and a text that is no digest is not', () => {
  const [before, changed] = [read('03/02/2018', UPN), digesterOf({ SECRETS_KEY: `${NEXT_KEY},${KEY}` })];
  const after = toStored(parseMatch(changed('03/02/2018', UPN)));
  expect(after).toEqual(toStored(parseMatch(digesterOf({ SECRETS_KEY: NEXT_KEY })('03/02/2018', UPN))));
  expect(toStored(before)).toEqual({
    birth: Buffer.from(before.births[0] ?? '', 'base64url').toString('hex'),
    upn: Buffer.from(before.upns[0] ?? '', 'base64url').toString('hex'),
  });
  expect(toStored(parseMatch('03022018/QUFB'))).toEqual({ birth: null, upn: null });
  expect(toStored(parseMatch(null))).toEqual({ birth: null, upn: null });
});

test.each([
  ['03/02/2018', true],
  ['DOB 03/02/2018', true],
  ['born 3rd of February', false],
  ['3rd Feb. 2018 (Ada)', true],
  ['(1st Feb 2018)', true],
  ['(2nd Feb 2018)', true],
  ['(4th Feb 2018)', true],
  ['2018-02-03', true],
  ['43134', true],
  ['B801200005001', true],
  ['b8012 0000 5001x', true],
  ['UPN: A80120000500B', true],
  ['80120000500', false],
  ['03/02/1918', false],
  ['27/11/2026', false],
  ['Year 3 Otters', false],
  ['', false],
])('“%s” looks personal: %s', (text, isPersonal) => {
  expect(looksPersonal(text, TODAY)).toBe(isPersonal);
});

test.each([
  ['xlsx', false],
  ['xlsx', true],
  ['biff8', false],
] as const)(
  'a date cell of an %s file (dates since 1904: %s) is not read in the American order',
  (bookType, date1904) => {
    // 3 February 2018, in days since the first day of the workbook.
    const sheet = utils.aoa_to_sheet([[{ t: 'n', v: date1904 ? 41_672 : 43_134, z: 'm/d/yy' }], ['x']]);
    const book = { ...utils.book_new(sheet, 'List'), Workbook: { WBProps: { date1904 } } };
    const content = write(book, { type: 'buffer', bookType }) as Buffer;
    const { sheets } = readWorkbook({ name: 'list', content });
    expect(parseBirthDate(sheets[0]?.rows[0]?.cells[0] ?? '', '2026-11-26')).toBe('2018-02-03');
  },
);
