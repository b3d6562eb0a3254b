import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { classCalls } from '#contract/calls/classes.ts';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { inPlatform, readInPlatform } from '../database/platform.ts';
import { inSchool } from '../database/school.ts';
import { testApp } from '../testing/app.ts';
import {
  CHAIN_START,
  chainDigest,
  type ChainedEntry,
  type ChainEnds,
  chainText,
  digestDetails,
} from './audit-chain.ts';
import { findSchoolToPrune, findSchoolToSeal, pruneEntries, sealEntries, verifySchool } from './audit-chain.queries.ts';

const app = testApp();
const folder = mkdtempSync(join(tmpdir(), 'portal-chain-'));
afterAll(() => rmSync(folder, { recursive: true }));
const config = { secretsKeys: ['a-key-of-this-test'], dataDir: folder };
const NOW = new Date('2026-11-18T12:00:00.000Z');
const LATER = new Date('2026-11-18T14:00:00.000Z');
beforeEach(() => app.setTime(NOW.toISOString()));

type School = Awaited<ReturnType<typeof app.build.school>>;
const addClass = async (school: School) => {
  const body = { name: randomUUID().slice(0, 8) };
  const { status } = await app.call(classCalls.createClass, {
    params: { id: school.id },
    body,
    token: school.admin.token,
  });
  expect(status).toBe(200);
};
const seal = (school: School, now = NOW) => inPlatform(app.database, (db) => sealEntries(db, config, school.id, now));
const verify = (school: School, now = NOW, keys = config) =>
  readInPlatform(app.database, (db) => verifySchool(db, school.id, now, keys));
const change = (statement: ReturnType<typeof sql>) => inPlatform(app.database, (db) => statement.execute(db.tx));
const entriesOf = async (school: School) =>
  app.database.kysely.selectFrom('audit_log').select('id').where('school_id', '=', school.id).orderBy('id').execute();

async function schoolWithChain(entries = 3): Promise<School> {
  const school = await app.build.school();
  for (let n = 0; n < entries; n += 1) await addClass(school);
  await seal(school);
  return school;
}

describe('the digests of the chain', () => {
  const other = Buffer.alloc(32, 1);
  const entry: ChainedEntry = {
    id: 1,
    at: NOW,
    action: 'class_created',
    subject_kind: 'class',
    actor_user_id: 2,
    impersonator_user_id: null,
    subject_id: '3',
    details: '{"name": "Owls"}',
  };
  const ends: ChainEnds = { first_number: 0, first_digest: CHAIN_START, last_number: 5, last_digest: CHAIN_START };

  test.each<Partial<ChainedEntry>>([
    { id: 2 },
    { at: LATER },
    { action: 'class_deleted' },
    { subject_kind: 'pupil' },
    { actor_user_id: 3 },
    { impersonator_user_id: 4 },
    { subject_id: null },
  ])('change with %o of an entry', (altered) => {
    const [before, after] = [entry, { ...entry, ...altered }].map((one) => chainDigest(CHAIN_START, one, other));
    expect(after).not.toEqual(before);
  });

  test('change with the previous digest, and with the digest of the details', () => {
    const digest = chainDigest(CHAIN_START, entry, other);
    expect(chainDigest(other, entry, other)).not.toEqual(digest);
    expect(chainDigest(CHAIN_START, entry, CHAIN_START)).not.toEqual(digest);
  });

  test('of details are keyed by a salt, without which no one can guess them', () => {
    const digest = digestDetails(other, entry);
    expect(digestDetails(CHAIN_START, entry)).not.toEqual(digest);
    expect(digestDetails(other, { ...entry, details: '{}' })).not.toEqual(digest);
  });

  test.each<Partial<ChainEnds>>([
    { first_number: 1 },
    { first_digest: other },
    { last_number: 4 },
    { last_digest: other },
  ])('the signed text changes with %o of the ends, and with the school', (altered) => {
    const text = chainText(1, ends);
    expect(chainText(1, { ...ends, ...altered })).not.toBe(text);
    expect(chainText(2, ends)).not.toBe(text);
  });
});

describe('the chain of the audit log', () => {
  test('holds when nothing happened, and over entries that come later', async () => {
    const school = await schoolWithChain();
    expect(await verify(school)).toEqual([]);
    await addClass(school);
    expect(await verify(school)).toEqual([]);
    await seal(school);
    expect(await verify(school, LATER)).toEqual([]);
    await seal(school);
    expect(await verify(school, LATER)).toEqual([]);
  });

  test('of a school with thousands of entries is complete at the first run', async () => {
    const school = await app.build.school();
    await change(sql`
      insert into audit_log (school_id, at, action, subject_kind, subject_id)
      select ${school.id}, '2025-01-01'::timestamptz + n * interval '1 minute', 'class_created', 'class', n::text
      from generate_series(1, 2500) n`);
    expect(await readInPlatform(app.database, (db) => findSchoolToSeal(db, school.id - 1, NOW))).toBe(school.id);
    await seal(school);
    expect(await verify(school, LATER)).toEqual([]);
    expect(await readInPlatform(app.database, (db) => findSchoolToSeal(db, school.id - 1, NOW))).not.toBe(school.id);
  });

  test.each<[string, (school: School, id: number) => ReturnType<typeof sql>, RegExp]>([
    [
      'the action',
      (s, id) => sql`update audit_log set action = 'x' where school_id = ${s.id} and id = ${id}`,
      /was changed/,
    ],
    [
      'the time',
      (s, id) => sql`update audit_log set at = at - interval '1 day' where school_id = ${s.id} and id = ${id}`,
      /was changed/,
    ],
    [
      'the actor',
      (s, id) => sql`update audit_log set actor_user_id = 1 where school_id = ${s.id} and id = ${id}`,
      /was changed/,
    ],
    [
      'the operator',
      (s, id) => sql`update audit_log set impersonator_user_id = 1 where school_id = ${s.id} and id = ${id}`,
      /was changed/,
    ],
    [
      'the subject',
      (s, id) => sql`update audit_log set subject_id = '1' where school_id = ${s.id} and id = ${id}`,
      /was changed/,
    ],
    [
      'the details',
      (s, id) => sql`update audit_log set details = '{"name":"x"}' where school_id = ${s.id} and id = ${id}`,
      /was changed/,
    ],
    ['a whole entry', (s, id) => sql`delete from audit_log where school_id = ${s.id} and id = ${id}`, /was deleted/],
    [
      'an entry and its seal',
      (s, id) => sql`
        with gone as (delete from audit_log where school_id = ${s.id} and id = ${id})
        delete from audit_seals where school_id = ${s.id} and entry_id = ${id}`,
      /of the chain is missing/,
    ],
    [
      'details that were made to look erased',
      (s, id) => sql`update audit_seals set salt = null where school_id = ${s.id} and entry_id = ${id}`,
      /was changed/,
    ],
  ])('shows a change of %s', async (_, tamper, fault) => {
    const school = await schoolWithChain();
    const [, second] = await entriesOf(school);
    await change(tamper(school, second?.id ?? 0));
    const breaches = await verify(school);
    expect(breaches[0]).toMatch(fault);
  });

  test('shows that the latest entries were cut off, also with a chain that was moved back', async () => {
    const school = await schoolWithChain();
    const last = (await entriesOf(school)).at(-1)?.id ?? 0;
    await change(sql`delete from audit_log where school_id = ${school.id} and id = ${last}`);
    await change(sql`delete from audit_seals where school_id = ${school.id} and entry_id = ${last}`);
    expect(await verify(school)).toEqual(['the latest entries are missing']);
    await change(sql`
      update audit_chains c set last_number = l.number, last_digest = l.digest from audit_seals l
      where c.school_id = ${school.id} and l.school_id = c.school_id and l.number = c.last_number - 1`);
    expect(await verify(school)).toEqual(['the signature does not match, or was made with another SECRETS_KEY']);
  });

  test('lists at most twenty breaches', async () => {
    const school = await schoolWithChain(25);
    await change(sql`update audit_log set action = 'x' where school_id = ${school.id}`);
    expect(await verify(school)).toHaveLength(20);
  });

  test('does not seal an entry whose time is long past, which verification then shows', async () => {
    const school = await schoolWithChain();
    await change(sql`
      insert into audit_log (school_id, at, action, subject_kind) values (${school.id}, '2026-11-18T09:00:00Z', 'x', 'school')`);
    await seal(school);
    expect(await verify(school)).toEqual([expect.stringMatching(/^entry \d+ was added later$/)]);
  });

  test('shows a last digest that does not fit the last entry', async () => {
    const school = await schoolWithChain();
    await change(sql`update audit_chains set last_digest = sha256('x') where school_id = ${school.id}`);
    expect(await readInPlatform(app.database, (db) => verifySchool(db, school.id, NOW))).toEqual([
      'the latest entries are missing',
    ]);
  });

  test('shows an entry that was added later', async () => {
    const school = await schoolWithChain();
    await change(sql`
      insert into audit_log (school_id, at, action, subject_kind) values (${school.id}, '2026-11-18T09:00:00Z', 'x', 'school')`);
    expect(await verify(school)).toEqual([expect.stringMatching(/^entry \d+ was added later$/)]);
  });

  test('still holds when the details and the salt of an entry are erased', async () => {
    const school = await schoolWithChain();
    const [, second] = await entriesOf(school);
    await change(sql`update audit_log set details = '{}' where school_id = ${school.id} and id = ${second?.id}`);
    await change(sql`update audit_seals set salt = null where school_id = ${school.id} and entry_id = ${second?.id}`);
    expect(await verify(school)).toEqual([]);
  });

  test('accepts the signature of a former key, and no other', async () => {
    const school = await schoolWithChain();
    expect(await verify(school, NOW, { ...config, secretsKeys: ['new', ...config.secretsKeys] })).toEqual([]);
    expect(await verify(school, NOW, { ...config, secretsKeys: ['new'] })).toHaveLength(1);
    expect(await readInPlatform(app.database, (db) => verifySchool(db, school.id, NOW))).toEqual([]);
  });

  test('is sealed once when two processes do it at the same time', async () => {
    const school = await schoolWithChain();
    for (let n = 0; n < 3; n += 1) await addClass(school);
    await Promise.all([seal(school), seal(school), seal(school)]);
    expect(await verify(school, LATER)).toEqual([]);
  });

  test('begins behind the entries that were pruned', async () => {
    const school = await schoolWithChain();
    await change(sql`
      insert into audit_log (school_id, at, action, subject_kind) values (${school.id}, ${NOW}, 'new', 'school')`);
    await seal(school);
    const old = new Date(NOW.getTime() - 1);
    expect(await readInPlatform(app.database, (db) => findSchoolToPrune(db, old, school.id - 1))).not.toBe(school.id);
    const twoYearsLater = new Date('2028-11-18T12:00:00.000Z');
    await change(sql`
      insert into audit_log (school_id, at, action, subject_kind) values (${school.id}, ${twoYearsLater}, 'x', 'school')`);
    await seal(school, twoYearsLater);
    expect(await readInPlatform(app.database, (db) => findSchoolToPrune(db, NOW, school.id - 1))).toBe(school.id);
    const prune = () => inPlatform(app.database, (db) => pruneEntries(db, config, school.id, NOW));
    expect(await prune()).toBe(4);
    expect(await prune()).toBe(0);
    expect(await entriesOf(school)).toHaveLength(1);
    expect(await verify(school, new Date('2028-11-19T12:00:00.000Z'))).toEqual([]);
  });

  test('is out of reach of the school’s own transactions', async () => {
    const school = await schoolWithChain();
    for (const table of ['audit_chains', 'audit_seals'])
      await expect(
        inSchool(app.database, school.id, (db) => sql`select 1 from ${sql.table(table)}`.execute(db.tx)),
      ).rejects.toThrow('permission denied');
  });

  test('is sealed and pruned by the jobs', async () => {
    const school = await app.build.school();
    await addClass(school);
    await app.runJobs({ scheduled: true });
    const sealed = () =>
      app.database.kysely.selectFrom('audit_seals').select('number').where('school_id', '=', school.id).execute();
    expect(await sealed()).toEqual([{ number: 1 }]);
    app.setTime('2028-11-18T12:00:00.000Z');
    await app.runJobs({ scheduled: true });
    expect(await sealed()).toEqual([]);
    expect(await entriesOf(school)).toEqual([]);
  });
});
