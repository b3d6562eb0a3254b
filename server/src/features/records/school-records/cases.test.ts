import { readFile } from 'node:fs/promises';
import { schoolRecordsCalls } from '#contract/calls/school-records.ts';
import { formatYearGroup } from '#contract/year-group.ts';
import { beforeEach, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import type { BuiltSchool } from '../../../testing/builder.ts';
import { readSchoolRecords } from './read-school-records.service.ts';

const FOLDER = new URL('../../../lists/cases/', import.meta.url);
const expected = JSON.parse(await readFile(new URL('expected.json', FOLDER), 'utf8')) as Record<
  string,
  { channel: string; joiners?: string[]; years?: string[] }
>;
const readCase = (name: string) => readFile(new URL(name, FOLDER));

const app = testApp();
let school: BuiltSchool;
beforeEach(async () => {
  app.setTime('2026-11-26T12:00:00.000Z');
  school = await app.build.school({ maxPupils: 100 });
});

const at = () => ({ params: { id: school.id }, token: school.admin.token });
async function plan(name: string, body: { school?: string } = {}) {
  const file = { name, content: await readCase(name) };
  const { reply } = await app.call(schoolRecordsCalls.planSchoolRecords, { ...at(), file, body });
  if (reply.run_id === null) return { ...reply, kind: undefined, joiners: undefined };
  const params = { id: school.id, runId: reply.run_id };
  const { reply: opened } = await app.call(schoolRecordsCalls.getSchoolRecordsRun, { ...at(), params });
  const joiners = opened.plan?.joiners.map((joiner) => (joiner.class ? `${joiner.name}|${joiner.class}` : joiner.name));
  return { ...reply, kind: opened.run.kind, joiners };
}

const withJoiners = Object.entries(expected).filter(([, { channel, joiners }]) => channel === 'roster' && joiners);
test.each(withJoiners)(
  'the school records in %s have the joiners that the school expects',
  async (name, { joiners }) => {
    expect((await plan(name)).joiners).toEqual(joiners);
  },
);

test('the year groups of a nursery in 55-oneroster-nursery-years.zip are never Year 1 or 2', async () => {
  const name = '55-oneroster-nursery-years.zip';
  const { file } = readSchoolRecords({ content: await readCase(name), today: '2026-11-26', school: null });
  for (const [index, year] of (expected[name]?.years ?? []).entries()) {
    const code = file?.pupils[index]?.yearGroup ?? 'X';
    const text = formatYearGroup(code);
    if (year.startsWith('not ')) expect(text).not.toBe(year.slice(4));
    else expect(text.replace(/ \d$/, (digit) => (year === 'Nursery' ? '' : digit))).toBe(year);
  }
});

test('54-oneroster-two-sites.zip asks for the school once, and is planned with the pupils of the chosen one', async () => {
  const name = '54-oneroster-two-sites.zip';
  const first = await plan(name);
  expect(first).toMatchObject({ run_id: null, joiners: undefined });
  expect(first.schools).toEqual([
    { source_id: 'org1', name: 'Larkfield Primary', pupils: 14 },
    { source_id: 'org2', name: 'Larkfield Nursery', pupils: 2 },
  ]);
  const ofNursery = ['Oscar Tindall|Ash', 'Poppy Warrick|Ash'];
  expect((await plan(name, { school: 'org2' })).joiners).toEqual(ofNursery);
  expect((await plan(name)).joiners).toEqual(ofNursery);
  expect((await plan(name, { school: '' })).run_id).toBeNull();
  expect((await plan(name, { school: 'org1' })).joiners).toHaveLength(14);
  expect((await plan(name)).joiners).toHaveLength(14);
});

test('63-atf-from-the-council.xml is read as pupils who are expected to join, without a class', async () => {
  expect(await plan('63-atf-from-the-council.xml')).toMatchObject({ kind: 'atf', joiners: ['Ivy Nolan', 'Ned Oakes'] });
});
