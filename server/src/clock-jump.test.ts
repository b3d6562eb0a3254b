import { archiveCalls } from '#contract/calls/archive.ts';
import { classCalls } from '#contract/calls/classes.ts';
import { privacyCalls } from '#contract/calls/privacy.ts';
import { type RawBuilder, sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { listJobs } from './app.ts';
import type { Services } from './context.ts';
import { RETENTION_JOB } from './jobs/queue.ts';
import { testApp } from './testing/app.ts';

const app = testApp();
const START = Date.parse('2026-11-18T12:00:00.000Z');
const DAY = 86_400_000;

const setTimeAfter = (milliseconds: number) => app.setTime(new Date(START + milliseconds).toISOString());
/** The services of a portal with a clock that is not known to be moved by tests. */
const servicesAt = (milliseconds: number) => {
  setTimeAfter(milliseconds);
  return { ...app.services, clock: { now: () => app.services.clock.now() } };
};
const runJob = async (services: Services, name: string) =>
  listJobs(services, async () => undefined)
    .find((job) => job.name === name)!
    .run({});
const runNight = (milliseconds: number) => runJob(servicesAt(milliseconds), RETENTION_JOB);

async function countRows(table: string, where: RawBuilder<boolean>): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)} where ${where}`.execute(
    app.database.kysely,
  );
  return rows[0]?.n ?? Number.NaN;
}

beforeEach(async () => {
  setTimeAfter(0);
  await app.database.kysely.deleteFrom('retention_runs').execute();
});

describe('a clock that is 60 days ahead for one night', () => {
  const archive = async () => {
    const school = await app.build.school();
    const { id, admin } = school;
    const pupilIds = school.ownClass.pupils.map((pupil) => pupil.id);
    await app.call(archiveCalls.archivePupils, { token: admin.token, params: { id }, body: { reader_ids: pupilIds } });
    return async () => countRows('pupils', sql<boolean>`school_id = ${id} and archived_at is not null`);
  };
  test('deletes nothing and fails, and the nights after it delete as usual', async () => {
    const count = await archive();
    const before = await count();
    await runNight(0);
    await expect(runNight(61 * DAY)).rejects.toThrow('Nothing was deleted');
    // The queue tries a failed job again.
    await expect(runNight(61 * DAY)).rejects.toThrow('Nothing was deleted');
    expect(await count()).toBe(before);
    await runNight(DAY);
    expect(await count()).toBe(before);
    for (let day = 14; day <= 28; day += 14) await runNight(day * DAY);
    expect(await count()).toBe(before);
    await runNight(30 * DAY);
    expect(await count()).toBe(0);
  });

  test('a jump of the clock is shown to operators, until the clock is right again', async () => {
    const operator = await app.build.operator();
    const listTitles = async () =>
      (await app.call(privacyCalls.listRetentionRuns, { token: operator.token, query: {} })).reply.nights
        .flatMap(({ tables }) => tables)
        .filter(({ has_failed }) => has_failed)
        .map(({ title }) => title);
    await runNight(0);
    await expect(runNight(61 * DAY)).rejects.toThrow('Nothing was deleted');
    setTimeAfter(0);
    expect(await listTitles()).toEqual(['Nothing was deleted: the clock may have been wrong']);
    await runNight(DAY);
    expect(await listTitles()).toEqual([]);
  });

  test('erases no school and prunes no audit log', async () => {
    await runNight(0);
    const school = await app.build.school();
    const at = { token: school.admin.token, params: { id: school.id } };
    await app.call(classCalls.createClass, { ...at, body: { name: 'Wrens' } });
    await sql`insert into school_closings (school_id, requested_at, takes_effect_at, closed_at, erase_at)
      values (${school.id}, ${new Date(START)}, ${new Date(START)}, ${new Date(START)}, ${new Date(START + 30 * DAY)})`.execute(
      app.database.kysely,
    );
    await runJob(app.services, 'audit-sealing');
    const countEntries = () => countRows('audit_log', sql<boolean>`school_id = ${school.id}`);
    const entries = await countEntries();
    expect(entries).toBeGreaterThan(0);
    const services = servicesAt(61 * DAY);
    await expect(runJob(services, RETENTION_JOB)).rejects.toThrow();
    await runJob(services, 'school-closings');
    await runJob(servicesAt(800 * DAY), 'audit-pruning');
    setTimeAfter(0);
    expect(await countEntries()).toBe(entries);
    expect(await countRows('pupils', sql<boolean>`school_id = ${school.id}`)).toBe(4);
    await runNight(29 * DAY - 1).catch(() => undefined);
    await runNight(30 * DAY);
    await runJob(servicesAt(30 * DAY), 'school-closings');
    expect(await countRows('pupils', sql<boolean>`school_id = ${school.id}`)).toBe(0);
  });
});

test('after a stop of weeks the first night deletes nothing, and the next one goes on', async () => {
  const { teacher } = await app.build.school();
  const count = () => countRows('sessions', sql<boolean>`user_id = ${teacher.id}`);
  await runNight(0);
  await expect(runNight(40 * DAY)).rejects.toThrow('Nothing was deleted');
  expect(await count()).toBe(1);
  await runNight(41 * DAY);
  expect(await count()).toBe(0);
});
