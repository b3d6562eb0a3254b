import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseBirthDate } from './birth-date.ts';

const TODAY = '2026-11-26';
const parse = (text: string) => parseBirthDate(text, TODAY);

test.each([
  ['03/02/2018', '2018-02-03'],
  ['3/2/18', '2018-02-03'],
  ['3.2.2018', '2018-02-03'],
  ['3-Feb-18', '2018-02-03'],
  [' 03/02/2018 ', '2018-02-03'],
  ['1st Feb 2018', '2018-02-01'],
  ['2nd Feb 2018', '2018-02-02'],
  ['3rd February 2018', '2018-02-03'],
  ['4th Feb 2018', '2018-02-04'],
  ['2018-02-03', '2018-02-03'],
  ['2018-02-03 00:00:00', '2018-02-03'],
  ['2018-02-03 00:00', '2018-02-03'],
  ['2018-02-03T00:00:00.000Z', '2018-02-03'],
  ['2018-02-03Z', '2018-02-03'],
  ['2018-02-03+01:00', '2018-02-03'],
  ['2018-02-03T00:00:00+00:00', '2018-02-03'],
  ['43134', '2018-02-03'],
  ['29/02/2020', '2020-02-29'],
  ['01/01/26', '2026-01-01'],
  // Impossible, in the future, or too long ago.
  ['29/02/2019', null],
  ['31/04/2018', null],
  ['02/13/2018', null],
  ['00/01/2018', null],
  ['26/11/2026', '2026-11-26'],
  ['27/11/2026', null],
  ['26/11/2001', '2001-11-26'],
  ['25/11/2001', null],
  ['01/01/95', null],
  ['01/01/27', null],
  ['03/00/2018', null],
  ['03/13/2018', null],
  ['99999', null],
  // With something else beside it.
  ['born 2018-02-03', null],
  ['2018-02-03 or 04', null],
  ['2018-02-03 00:00 or so', null],
  ['103/02/2018', null],
  ['03/02/20189', null],
  ['3 Fob 2018', null],
  ['2018', null],
  ['', null],
  ['Ada Baker', null],
])('a date of birth written as "%s" is read as %s', (text, date) => {
  expect(parse(text)).toBe(date);
});

const days = fc
  .integer({ min: Date.parse('2001-11-26') / 86_400_000, max: Date.parse(TODAY) / 86_400_000 })
  .map((day) => new Date(day * 86_400_000));
const two = (number: number) => String(number).padStart(2, '0');

test('a date of birth is read in every way in which it can be written', () => {
  fc.assert(
    fc.property(days, (date) => {
      const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()];
      const name = date.toLocaleDateString('en-GB', { month: 'long', timeZone: 'UTC' });
      const written = [
        `${two(day)}/${two(month)}/${year}`,
        `${day}.${month}.${year}`,
        `${day} ${name} ${year}`,
        `${two(day)}-${name.slice(0, 3)}-${year}`,
        `${year}-${two(month)}-${two(day)}`,
        String(date.getTime() / 86_400_000 + 25_569),
      ];
      for (const text of written) expect(parse(text)).toBe(date.toISOString().slice(0, 10));
    }),
  );
});

test('every text is read as a date of birth of the last 25 years, or as none', () => {
  const texts = fc.oneof(fc.string(), fc.stringMatching(/^\d{1,4}[-/. ]\d{1,2}[-/. ]\d{1,4}$/), fc.nat().map(String));
  fc.assert(
    fc.property(texts, (text) => {
      const date = parse(text);
      if (date === null) return;
      expect(new Date(date).toISOString().slice(0, 10)).toBe(date);
      expect(date >= '2001-11-26' && date <= TODAY).toBe(true);
    }),
  );
});
