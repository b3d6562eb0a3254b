import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  ageInYearGroup,
  distinctYearGroups,
  findYearGroupChange,
  formatYearGroup,
  formatYearGroups,
  isLastPrimaryYear,
  moveUpTo,
  nextYearGroup,
  parseYearGroup,
  recordedYearGroupsFor,
  statedSince,
  YEAR_GROUPS,
  yearEndSince,
  yearGroupOfClass,
  yearGroupOn,
  yearNumber,
} from './year-group.ts';

const anyCode = fc.constantFrom(...YEAR_GROUPS);

test('every year group is parsed from its code and from its name, in any case and spacing', () => {
  fc.assert(
    fc.property(anyCode, fc.constantFrom('', ' ', '\t'), fc.boolean(), (code, space, isUpper) => {
      for (const text of [code, formatYearGroup(code)])
        expect(parseYearGroup(space + (isUpper ? text.toUpperCase() : text.toLowerCase()) + space)).toBe(code);
    }),
  );
});

test('reads no year group from a text with other letters, words or numbers beside it', () => {
  const year = anyCode.chain((code) => fc.constantFrom(code, formatYearGroup(code)));
  const word = fc.stringMatching(/^[a-z]{3,12}$/).filter((text) => parseYearGroup(text) === null && text !== 'year');
  const number = fc.integer({ min: 15, max: 9999 }).map(String);
  const letter = fc.constantFrom(...'ABCDGHIJKLOQSTUVWZ');
  fc.assert(
    fc.property(year, fc.oneof(word, number), letter, (text, other, mark) => {
      for (const longer of [
        `${text} ${other}`,
        `${other}, ${text}`,
        `${text}/${other}`,
        `${text}${mark}`,
        `${text} ${mark}`,
      ])
        expect([longer, parseYearGroup(longer)]).toEqual([longer, null]);
    }),
  );
});

test.each([
  ['3', '3'],
  ['03', '3'],
  ['3.0', '3'],
  ['Year 3', '3'],
  ['Yr 3', '3'],
  ['Yr. 3', '3'],
  ['Y3', '3'],
  ['NC Year 3', '3'],
  ['Year group 3', '3'],
  ['14', '14'],
  ['R', 'R'],
  ['0', 'R'],
  ['YR', 'R'],
  ['Year R', 'R'],
  ['Rec', 'R'],
  ['FS2', 'R'],
  ['-1', 'N2'],
  ['Nursery', 'N2'],
  ['Nursery 1', 'N1'],
  ['n2', 'N2'],
  ['e1', 'E1'],
  ['P4', 'P4'],
  ['Primary 4', 'P4'],
  ['Blwyddyn 3', '3'],
  ['Derbyn', 'R'],
  ['15', null],
  ['P8', null],
  ['2B or not', null],
  ['4B', null],
  ['Year 3/4', null],
  ['Class of 2024', null],
  ['2024', null],
  ['Year 3 Wrens', null],
  ['03,04', null],
  ['constructor', null],
  ['', null],
])('%j is parsed as year group %j', (text, code) => {
  expect(parseYearGroup(text)).toBe(code);
});

test.each([
  ['Year 3 Wrens', '3'],
  ['Y3 Wrens', '3'],
  ['Reception', 'R'],
  ['P4 Swifts', 'P4'],
  ['Year 3 - Wrens', '3'],
  ['Year 3/4', null],
  ['Year 3 and 4', null],
  ['Reception/Year 1', null],
  ['R/Year 1', null],
  ['Kingfishers', null],
  ['3W', null],
  ['Room P2', null],
  ['Class of 2024', null],
])('the name of the class %j states the year group %j', (name, code) => {
  expect(yearGroupOfClass(name)).toBe(code);
});

test('the year groups of Scotland and Northern Ireland have no year number', () => {
  for (const code of YEAR_GROUPS) expect(yearNumber(code) === null).toBe(!/^(R|[1-9]|1[0-3])$/.test(code));
  expect(YEAR_GROUPS.filter(isLastPrimaryYear)).toEqual(['6', '7', '8', '9', '10', '11', '12', '13', '14', 'P7']);
});

test('a year group moves up each September and ends after Year 13 and P7', () => {
  const recorded = { code: '3', since: '2025-09-01' } as const;
  expect(yearGroupOn(recorded, '2026-08-31')).toBe('3');
  expect(yearGroupOn(recorded, '2026-09-01')).toBe('4');
  expect(yearGroupOn({ code: 'N2', since: '2025-09-01' }, '2027-10-01')).toBe('1');
  expect(yearGroupOn({ code: 'P7', since: '2025-09-01' }, '2026-09-01')).toBeNull();
  expect(yearGroupOn({ code: '13', since: '2025-09-01' }, '2030-09-01')).toBeNull();
  expect(yearGroupOn({ code: 'M', since: '2025-09-01' }, '2030-09-01')).toBe('M');
  expect(yearGroupOn(null, '2026-09-01')).toBeNull();
  expect(YEAR_GROUPS.filter((code) => nextYearGroup(code) === null)).toEqual(['13', '14', 'P7']);
});

test('a year group stated in August is that of the coming school year', () => {
  expect(['2026-07-31', '2026-08-01', '2026-09-01', '2027-01-15'].map(statedSince)).toEqual([
    '2025-09-01',
    '2026-09-01',
    '2026-09-01',
    '2026-09-01',
  ]);
  expect(['2026-07-10', '2026-09-03'].map(yearEndSince)).toEqual(['2026-09-01', '2026-09-01']);
});

test('a year end shows the coming year group at once, and neither it nor its undo changes later years', () => {
  const since = '2026-09-01';
  fc.assert(
    fc.property(anyCode, fc.constantFrom('2024-09-01', '2025-09-01', since), (code, from) => {
      const before = { code, since: from };
      const moved = moveUpTo(before, since);
      for (const day of [since, '2027-07-01', '2029-01-01'])
        expect(yearGroupOn(moved, day)).toBe(yearGroupOn(before, day));
      expect(findYearGroupChange(before, moved, since)).toBeUndefined();
    }),
  );
  const year3 = { code: '3', since: '2025-09-01' } as const;
  expect(yearGroupOn(moveUpTo(year3, since), '2026-07-10')).toBe('4');
});

test('two recorded year groups differ on the day, or only from the September of the later one', () => {
  const year3 = { code: '3', since: '2025-09-01' } as const;
  const inJuly = '2026-07-10';
  expect(findYearGroupChange(year3, moveUpTo(year3, '2026-09-01'), inJuly)).toEqual({ from: '3', to: '4' });
  expect(findYearGroupChange(year3, { code: '3', since: '2026-09-01' }, inJuly)).toEqual({ from: '4', to: '3' });
  expect(findYearGroupChange(null, year3, inJuly)).toEqual({ from: null, to: '3' });
});

test.each([
  [[], ''],
  [['3'], 'Year 3'],
  [['3', '4'], 'Years 3 and 4'],
  [['1', '3', '6'], 'Years 1, 3 and 6'],
  [['R', '1'], 'Reception and Year 1'],
  [['R', '1', '2'], 'Reception, Years 1 and 2'],
  [['P3', 'P4'], 'P3 and P4'],
  [['N1', 'N2', 'R'], 'Nursery 1, Nursery 2 and Reception'],
] as const)('the year groups %j are “%s” in words', (codes, words) => {
  expect(formatYearGroups(codes)).toBe(words);
});

test('the year groups of a class are in order of age, each once, without M, X and those not known', () => {
  expect(distinctYearGroups(['4', 'M', '3', null, 'X', '4', 'R', 'N2'])).toEqual(['N2', 'R', '3', '4']);
  expect(distinctYearGroups(['P3', 'P1', 'R'])).toEqual(['R', 'P1', 'P3']);
  fc.assert(
    fc.property(fc.array(anyCode), (codes) => {
      const distinct = distinctYearGroups(codes);
      expect(new Set(distinct)).toEqual(new Set(codes.filter((code) => code !== 'M' && code !== 'X')));
      expect(distinctYearGroups(distinct.toReversed())).toEqual(distinct);
      const ages = distinct.map(ageInYearGroup).filter((age) => age !== null);
      expect(ages).toEqual(ages.toSorted((a, b) => a - b));
    }),
  );
});

test('the recorded year groups for a code are those that mean it on the day, whenever they were recorded', () => {
  const day = fc.constantFrom('2026-08-31', '2026-09-01', '2027-01-15');
  const year = fc.integer({ min: 1990, max: 2030 });
  fc.assert(
    fc.property(anyCode, year, day, fc.option(anyCode), (code, recordedIn, today, wanted) => {
      const recorded = { code, since: `${recordedIn}-09-01` };
      const { earliest, latest, recorded: matching } = recordedYearGroupsFor(wanted, today);
      const since = recorded.since < earliest ? earliest : recorded.since > latest ? latest : recorded.since;
      expect(matching.some((other) => other.code === code && other.since === since)).toBe(
        yearGroupOn(recorded, today) === wanted,
      );
    }),
    { numRuns: 2000 },
  );
});
