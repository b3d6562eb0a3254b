import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nameKey } from '../../school/pupils/pupils.public.ts';
import type { StagedPupil } from '../../../database/column-types.ts';
import type { PupilLink } from '../runs/runs.public.ts';
import { planChanges } from './plan.service.ts';
import { areNamesAlike } from './same-child.service.ts';
import { NO_ANSWERS, type SchoolRecords, type SchoolState } from './state.service.ts';

const CLASSES = [
  { id: 10, name: 'Wrens' },
  { id: 11, name: 'Owls' },
];
const row = (sourceId: string, name: string, more: Partial<StagedPupil> = {}): StagedPupil => ({
  sourceId,
  name,
  yearGroup: null,
  classIds: ['wrens'],
  upn: null,
  birth: null,
  isGone: false,
  ...more,
});
const fileOf = (pupils: StagedPupil[], isComplete = true): SchoolRecords => ({
  isComplete,
  pupils,
  classes: CLASSES.map(({ name }) => ({ sourceId: name.toLowerCase(), name, isHomeroom: true })),
  staff: [],
  unclearStaff: null,
  notes: [],
});
const pupil = (id: number, name: string, more: Partial<SchoolState['pupils'][number]> = {}) => ({
  id,
  name,
  classId: 10,
  isArchived: false,
  yearGroup: null,
  ...more,
});
const schoolOf = (pupils: SchoolState['pupils'], more: Partial<SchoolState> = {}): SchoolState => ({
  pupils,
  classes: CLASSES,
  links: [],
  classLinks: [],
  otherLinks: [],
  otherClassIds: [],
  staff: [],
  staffEmails: new Set(),
  isLeavingSeason: false,
  ...more,
});
const link = (sourceId: string, pupilId: number, name: string, more: Partial<PupilLink> = {}): PupilLink => ({
  sourceId,
  pupilId,
  name,
  classId: 10,
  yearGroup: null,
  upn: null,
  birth: null,
  hasLeft: false,
  ...more,
});
const planOf = (file: SchoolRecords, school: SchoolState, merges: [string, number | 'new'][] = []) =>
  planChanges(file, school, { ...NO_ANSWERS, merges: new Map(merges) }).plan;

const RECOGNISED = { joiners: [], leavers: [], questions: [], recognised: [{ source_id: 'new', pupil: 1 }] };
const questionAbout = (...ids: number[]) => ({
  joiners: [],
  recognised: [],
  questions: [{ source_id: 'new', candidates: ids.map((id) => ({ id })) }],
});
const JOINER = { joiners: [{ source_id: 'new' }], recognised: [], questions: [] };

test('a name that the school and complete records have once is recognised, and a change of class is planned', () => {
  const school = schoolOf([pupil(1, 'Ada Bell'), pupil(2, 'Tom Price')]);
  expect(planOf(fileOf([row('new', 'ADA  Bell')]), school)).toMatchObject({ ...RECOGNISED, movers: [] });
  const moved = planOf(fileOf([row('new', 'Ada Bell', { classIds: ['owls'] })]), school);
  expect(moved).toMatchObject({
    ...RECOGNISED,
    recognised: [{ source_id: 'new', pupil: 1, class: 'Wrens' }],
    movers: [{ pupil: 1, from: 'Wrens', class: 'Owls' }],
  });
});

test('a recognised pupil is a joiner once an admin has answered that they are another child', () => {
  const school = schoolOf([pupil(1, 'Ada Bell')]);
  const file = fileOf([row('new', 'Ada Bell', { classIds: ['owls'] })]);
  expect(planOf(file, school, [['new', 'new']])).toMatchObject({ ...JOINER, movers: [] });
});

test('two pupils with one name, in the school or in the records, are a question', () => {
  const two = schoolOf([pupil(1, 'Ada Bell'), pupil(2, 'Ada Bell', { classId: 11 })]);
  expect(planOf(fileOf([row('new', 'Ada Bell')]), two)).toMatchObject(questionAbout(1, 2));
  const rows = [row('new', 'Ada Bell'), row('other', 'Ada Bell', { classIds: ['owls'] })];
  expect(planOf(fileOf(rows), schoolOf([pupil(1, 'Ada Bell')]))).toMatchObject({
    recognised: [],
    questions: [{ source_id: 'new' }, { source_id: 'other' }],
  });
});

test('a pupil who would be two year groups away is a question, by the year group or else by the class', () => {
  const inYear = (code: '3' | '6') => schoolOf([pupil(1, 'Ada Bell', { yearGroup: { code, since: '2026-09-01' } })]);
  const file = fileOf([row('new', 'Ada Bell', { yearGroup: '4' })]);
  expect(planOf(file, inYear('3'))).toMatchObject(RECOGNISED);
  expect(planOf(file, inYear('6'))).toMatchObject(questionAbout(1));
  const classes = [{ id: 10, name: 'Year 6 Wrens' }];
  expect(planOf(file, schoolOf([pupil(1, 'Ada Bell')], { classes }))).toMatchObject(questionAbout(1));
  const inYear4 = {
    ...fileOf([row('new', 'Ada Bell')]),
    classes: [{ sourceId: 'wrens', name: 'Year 4', isHomeroom: true }],
  };
  expect(planOf(inYear4, inYear('6'))).toMatchObject(questionAbout(1));
});

test('of two rows with one name, the one in a year group that can be is recognised, and the other joins', () => {
  const school = schoolOf([pupil(1, 'Ada Bell', { yearGroup: { code: '3', since: '2026-09-01' } })]);
  const rows = [row('new', 'Ada Bell', { yearGroup: '3' }), row('other', 'Ada Bell', { yearGroup: '6' })];
  expect(planOf(fileOf(rows), school)).toMatchObject({
    joiners: [{ source_id: 'other' }],
    recognised: [{ source_id: 'new', pupil: 1 }],
    questions: [],
  });
});

test('the date of birth tells two pupils with one name apart', () => {
  const links = [link('old', 1, 'Ada Bell', { birth: 'b1' }), link('older', 2, 'Ada Bell', { birth: 'b2' })];
  const school = schoolOf([pupil(1, 'Ada Bell'), pupil(2, 'Ada Bell')], { links });
  const rows = [row('one', 'Ada Bell', { birth: 'b1' }), row('two', 'Ada Bell', { birth: 'b2' })];
  expect(planOf(fileOf(rows), school).recognised).toMatchObject([{ pupil: 1 }, { pupil: 2 }]);
  const [, ofTwo] = links;
  const half = { ...school, links: ofTwo ? [ofTwo] : [] };
  expect(planOf(fileOf([row('new', 'Ada Bell', { birth: 'b1' })]), half)).toMatchObject(questionAbout(1));
});

test('a row that is marked as gone is recognised as no one', () => {
  const school = schoolOf([pupil(1, 'Ada Bell')]);
  const file = fileOf([row('new', 'Ada Bell'), row('gone', 'Ada Bell', { isGone: true })]);
  expect(planOf(file, school)).toMatchObject(RECOGNISED);
});

test('an archived pupil is a question', () => {
  const school = schoolOf([pupil(1, 'Ada Bell', { isArchived: true, classId: null })]);
  expect(planOf(fileOf([row('new', 'Ada Bell')]), school)).toMatchObject(questionAbout(1));
});

test('records of some pupils recognise a name with the same class or date of birth, and ask about the name alone', () => {
  const school = schoolOf([pupil(1, 'Ada Bell')]);
  const some = (more: Partial<StagedPupil>) => fileOf([row('new', 'Ada Bell', more)], false);
  expect(planOf(some({}), school)).toMatchObject(RECOGNISED);
  expect(planOf(some({ classIds: ['owls'] }), school)).toMatchObject(questionAbout(1));
  expect(planOf(some({ classIds: [] }), school)).toMatchObject(questionAbout(1));
  const known = schoolOf([pupil(1, 'Ada Bell')], { links: [link('old', 1, 'Ada Bell', { birth: 'b1' })] });
  expect(planOf(some({ classIds: ['owls'], birth: 'b1' }), known)).toMatchObject(RECOGNISED);
});

test('a pupil of this source is recognised under a new ID, unless the dates of birth differ or the old ID is there', () => {
  const school = schoolOf([pupil(1, 'Ada Bell')], { links: [link('old', 1, 'Ada Bell', { birth: 'b1' })] });
  expect(planOf(fileOf([row('new', 'Ada Bell', { birth: 'b1' })]), school)).toMatchObject(RECOGNISED);
  expect(planOf(fileOf([row('new', 'Ada Bell', { birth: 'b2' })]), school)).toMatchObject({
    ...JOINER,
    leavers: [{ pupil: 1 }],
  });
  expect(planOf(fileOf([row('new', 'Ada Bell'), row('old', 'Ada Bell')]), school)).toMatchObject(JOINER);
});

test('a UPN is recognised whatever the name, and asks if the name is that of another pupil', () => {
  const links = [link('old', 1, 'Ada Bell', { upn: 'u' })];
  const file = fileOf([row('new', 'Ada Hart', { upn: 'u', classIds: ['owls'] })], false);
  expect(planOf(file, schoolOf([pupil(1, 'Ada Bell')], { links }))).toMatchObject({
    ...RECOGNISED,
    names: [{ from: 'Ada Bell', name: 'Ada Hart' }],
  });
  const school = schoolOf([pupil(1, 'Ada Bell'), pupil(2, 'Ada Hart')], { links });
  expect(planOf(file, school)).toMatchObject(questionAbout(1, 2));
});

test('two records of one pupil, by the UPN and by the name or both by the UPN, are questions', () => {
  const school = schoolOf([pupil(1, 'Ada Bell')], { links: [link('old', 1, 'Ada Bell', { upn: 'u' })] });
  const questions = [{ candidates: [{ id: 1 }] }, { candidates: [{ id: 1 }] }];
  for (const upn of [null, 'u'])
    expect(
      planOf(fileOf([row('new', 'Ada Bell', { upn }), row('other', 'Ada Hart', { upn: 'u' })]), school),
    ).toMatchObject({ recognised: [], joiners: [], questions });
});

test('the class that an admin chooses for a pupil does not change who is recognised', () => {
  const school = schoolOf([pupil(1, 'Ada Bell')], { links: [link('old', 1, 'Ada Bell', { upn: 'u' })] });
  const rows = [
    row('by-upn', 'Ivy Lane', { upn: 'u', classIds: ['owls'] }),
    row('by-name', 'Ada Bell', { classIds: ['wrens', 'owls'] }),
  ];
  const classes = new Map([['by-name', 'wrens']]);
  const { plan } = planChanges(fileOf(rows, false), school, { ...NO_ANSWERS, classes });
  expect(plan).toMatchObject({
    recognised: [{ source_id: 'by-upn' }],
    joiners: [{ source_id: 'by-name' }],
    questions: [],
  });
});

test('a pupil of another source is neither recognised nor asked about', () => {
  const school = schoolOf([pupil(1, 'Ada Bell')], { otherLinks: [link('theirs', 1, 'Ada Bell')] });
  expect(planOf(fileOf([row('new', 'Ada Bell')]), school)).toMatchObject({
    elsewhere: [{ source_id: 'new' }],
    recognised: [],
    questions: [],
  });
});

test.each([
  ['Charles Oakden', 'Charlie Oakden'],
  ['Bob Reed', 'Robert Reed'],
  ['Zoe Hart', 'Zoë Hart-Lane'],
  ['Mia Smith', 'Mia Rose Smith'],
  ['Abi Stone', 'Abigail Stone'],
])('%s and %s may be one child', (one, other) => {
  expect([areNamesAlike(one, other), areNamesAlike(other, one)]).toEqual([true, true]);
});

test.each([
  ['Charles Oakden', 'Charles Reed'],
  ['Ada Bell', 'Adele Bell'],
  ['Al Bell', 'Alan Bell'],
  ['Tom Price', 'Tina Price'],
  ['Cher', 'Cher'],
])('%s and %s are not alike', (one, other) => {
  expect([areNamesAlike(one, other), areNamesAlike(other, one)]).toEqual([false, false]);
});

test('a name that is like that of a pupil whom the records do not name is a question', () => {
  const school = schoolOf([pupil(1, 'Charlie Oakden'), pupil(2, 'Tom Price')]);
  const charles = row('new', 'Charles Oakden');
  expect(planOf(fileOf([charles]), school)).toMatchObject(questionAbout(1));
  const both = planOf(fileOf([charles, row('own', 'Charlie Oakden')]), school);
  expect(both).toMatchObject({ joiners: [{ source_id: 'new' }], recognised: [{ source_id: 'own' }], questions: [] });
});

test('a name that is alike is no question for a brother or sister, another date of birth or another year group', () => {
  const ofYear3 = pupil(1, 'Charlie Oakden', { yearGroup: { code: '3', since: '2026-09-01' } });
  const school = schoolOf([ofYear3], { links: [link('old', 1, 'Charlie Oakden', { birth: 'b1' })] });
  const charles = (more: Partial<StagedPupil>) => fileOf([row('new', 'Charles Oakden', more)]);
  expect(planOf(charles({ birth: 'b1', yearGroup: '3' }), school)).toMatchObject(questionAbout(1));
  expect(planOf(charles({ birth: 'b2', yearGroup: '3' }), school)).toMatchObject(JOINER);
  expect(planOf(charles({ birth: 'b1', yearGroup: '6' }), school)).toMatchObject(JOINER);
  expect(planOf(fileOf([row('new', 'Tina Oakden')]), school)).toMatchObject(JOINER);
  const archived = schoolOf([{ ...ofYear3, isArchived: true }]);
  expect(planOf(charles({ yearGroup: '3' }), archived)).toMatchObject(JOINER);
});

test('records of some pupils ask about a name that is alike only in the same class', () => {
  const school = schoolOf([pupil(1, 'Charlie Oakden')]);
  const some = (classId: string) => fileOf([row('new', 'Charles Oakden', { classIds: [classId] })], false);
  expect(planOf(some('wrens'), school)).toMatchObject(questionAbout(1));
  expect(planOf(some('owls'), school)).toMatchObject(JOINER);
});

test('no pupil is recognised twice, and each one recognised has the name or the UPN of their row', () => {
  const names = fc.constantFrom('Ada Bell', 'ada bell', 'Adam Bell', 'Tom Price', 'Thomas Price');
  const upns = fc.constantFrom(null, 'u1', 'u2');
  fc.assert(
    fc.property(
      fc.array(fc.tuple(names, upns), { maxLength: 5 }),
      fc.array(fc.tuple(names, upns), { maxLength: 5 }),
      fc.boolean(),
      (rows, pupils, isComplete) => {
        const school = schoolOf(
          pupils.map(([name], index) => pupil(index + 1, name)),
          { links: pupils.flatMap(([name, upn], id) => (upn ? [link(`old-${id}`, id + 1, name, { upn })] : [])) },
        );
        const file = fileOf(
          rows.map(([name, upn], id) => row(`new-${id}`, name, { upn })),
          isComplete,
        );
        const { recognised, joiners, questions } = planOf(file, school);
        const ids = recognised.map(({ pupil: id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
        expect(recognised.length + joiners.length + questions.length).toBe(rows.length);
        for (const { source_id, name, pupil: id } of recognised) {
          const same = school.pupils.find((known) => known.id === id);
          const upn = file.pupils.find(({ sourceId }) => sourceId === source_id)?.upn ?? null;
          const hasUpn = school.links.some((known) => known.pupilId === id && known.upn === upn);
          expect(hasUpn || nameKey(name) === nameKey(same?.name ?? '')).toBe(true);
          expect(questions.some(({ candidates }) => candidates.some((candidate) => candidate.id === id))).toBe(false);
        }
      },
    ),
    { numRuns: 500 },
  );
});
