import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { inPlatform, readInPlatform } from '../database/platform.ts';
import { inSchool } from '../database/school.ts';
import { testApp } from '../testing/app.ts';
import {
  CHAIN_START,
  chainDigest,
  type ChainedEntry,
  type ChainHead,
  digestDetails,
  digestErased,
  headText,
  makeHead,
} from './audit-chain.ts';
import { recordChange } from './audit-log.queries.ts';
import { verifySchool } from './audit-chain.queries.ts';
import { findHead, isSigned, restartChain, saveHead } from './audit-head.queries.ts';
import { eraseDetails } from './erase-details.queries.ts';
import { listSchoolsToPrune, listSchoolsToSeal, pruneEntries, sealPending, sealMissed } from './seal-audit.queries.ts';

const app = testApp();
const NOW = new Date('2026-11-18T12:00:00.000Z');
const LATER = new Date('2026-11-18T14:00:00.000Z');
const RECEIPT = Buffer.alloc(32, 7);
beforeEach(() => app.setTime(NOW.toISOString()));

type School = Awaited<ReturnType<typeof app.build.school>>;
const addEntry = (school: School) =>
  inSchool(app.database, school.id, (db) =>
    recordChange(db, { userId: school.admin.id, impersonatorId: null }, app.services.clock.now(), {
      action: 'class_created',
      subjectKind: 'class',
      subjectId: 1,
      details: { name: randomUUID() },
    }),
  );
const configOf = () => app.services.config;
const seal = (school: School, now = NOW) =>
  inPlatform(app.database, (db) => sealPending(db, configOf(), school.id, now));
const verifyAll = (school: School, now = NOW, keys: typeof app.services.config | undefined = configOf()) =>
  readInPlatform(app.database, (db) => verifySchool(db, school.id, now, keys));
const verify = async (...given: Parameters<typeof verifyAll>) => (await verifyAll(...given)).breaches;
const change = (statement: ReturnType<typeof sql>) => inPlatform(app.database, (db) => statement.execute(db.tx));
const entriesOf = async (school: School) =>
  app.database.kysely.selectFrom('audit_log').select('id').where('school_id', '=', school.id).orderBy('id').execute();
const headOf = (school: School) => readInPlatform(app.database, (db) => findHead(db, school.id));
/** An entry without a note that it waits to be sealed. */
const insertEntry = (school: School, at: Date, action = 'x') =>
  change(sql`
    insert into audit_log (school_id, at, action, subject_kind) values (${school.id}, ${at}, ${action}, 'school')`);

async function schoolWithChain(entries = 3): Promise<School> {
  const school = await app.build.school();
  for (let n = 0; n < entries; n += 1) await addEntry(school);
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
    program_id: null,
    subject_id: '3',
    details: '{"name": "Owls"}',
  };
  const head: ChainHead = { ...makeHead(NOW), last_number: 5 };

  test.each<Partial<ChainedEntry>>([
    { id: 2 },
    { at: LATER },
    { action: 'class_deleted' },
    { subject_kind: 'pupil' },
    { actor_user_id: 3 },
    { impersonator_user_id: 4 },
    { program_id: 5 },
    { subject_id: null },
  ])('the digest of an entry changes with %o', (altered) => {
    const [before, after] = [entry, { ...entry, ...altered }].map((version) =>
      chainDigest(CHAIN_START, version, other, NOW),
    );
    expect(after).not.toEqual(before);
  });

  test('the digest of an entry changes with the previous digest, the digest of the details and the time of its seal', () => {
    const digest = chainDigest(CHAIN_START, entry, other, NOW);
    expect(chainDigest(other, entry, other, NOW)).not.toEqual(digest);
    expect(chainDigest(CHAIN_START, entry, CHAIN_START, NOW)).not.toEqual(digest);
    expect(chainDigest(CHAIN_START, entry, other, LATER)).not.toEqual(digest);
  });

  test('the digest of details is keyed by a salt, without which no one can guess them', () => {
    const digest = digestDetails(other, entry);
    expect(digestDetails(CHAIN_START, entry)).not.toEqual(digest);
    expect(digestDetails(other, { ...entry, details: '{}' })).not.toEqual(digest);
  });

  test('the digest of erased entries changes with a number and with a receipt', () => {
    const digest = digestErased([{ number: 1, receipt: other }]);
    expect(digestErased([{ number: 2, receipt: other }])).not.toEqual(digest);
    expect(digestErased([{ number: 1, receipt: RECEIPT }])).not.toEqual(digest);
    expect(digestErased([])).not.toEqual(digest);
  });

  test.each<Partial<ChainHead>>([
    { begun_at: LATER },
    { first_number: 1 },
    { first_digest: other },
    { last_number: 4 },
    { last_digest: other },
    { erased: 1 },
    { erased_digest: other },
  ])('the signed text changes with %o of the head, and with the school', (altered) => {
    const text = headText(1, head);
    expect(headText(1, { ...head, ...altered })).not.toBe(text);
    expect(headText(2, head)).not.toBe(text);
  });
});

describe('the chain of the audit log', () => {
  test('an untouched chain has no breach, before and after further entries are sealed', async () => {
    const school = await schoolWithChain();
    expect(await verify(school)).toEqual([]);
    await addEntry(school);
    expect(await verify(school)).toEqual([]);
    await seal(school);
    expect(await verifyAll(school, LATER)).toEqual({ breaches: [], notices: [] });
    expect((await headOf(school))?.last_number).toBe(4);
  });

  test('a school has a signed chain without entries from its registration', async () => {
    const school = await app.build.school();
    const head = await headOf(school);
    expect(head).toMatchObject({ first_number: 0, last_number: 0, erased: 0, begun_at: NOW });
    expect(isSigned(configOf(), school.id, head!)).toBe(true);
    expect(await verify(school)).toEqual([]);
  });

  test('the transaction that writes an entry notes it, and sealing finds the school by the note', async () => {
    const school = await app.build.school();
    const list = () => readInPlatform(app.database, (db) => listSchoolsToSeal(db, school.id - 1, 1));
    expect(await list()).not.toEqual([school.id]);
    await addEntry(school);
    expect(await list()).toEqual([school.id]);
    expect(await seal(school)).toEqual({ count: 1 });
    expect(await list()).not.toEqual([school.id]);
  });

  test('thousands of entries from before the chain are sealed in batches, and none is listed as late', async () => {
    const school = await app.build.school();
    await change(sql`
      insert into audit_log (school_id, at, action, subject_kind, subject_id)
      select ${school.id}, '2025-01-01'::timestamptz + n * interval '1 minute', 'class_created', 'class', n::text
      from generate_series(1, 2500) n`);
    const counts: number[] = [];
    do counts.push((await inPlatform(app.database, (db) => sealMissed(db, configOf(), school.id, NOW))).count);
    while (counts.at(-1) !== 0);
    expect(counts).toEqual([1000, 1000, 500, 0]);
    expect(await verifyAll(school, LATER)).toEqual({ breaches: [], notices: [] });
  });

  test('verifying an audit log lists at most twenty breaches', async () => {
    const school = await schoolWithChain(25);
    await change(sql`update audit_log set action = 'x' where school_id = ${school.id}`);
    expect(await verify(school)).toHaveLength(20);
  });

  test('entries that wait while sealing stops for three days are sealed late, which is no breach', async () => {
    const school = await schoolWithChain();
    await addEntry(school);
    const [, , , late] = await entriesOf(school);
    const threeDaysLater = new Date('2026-11-21T12:00:00.000Z');
    expect((await verifyAll(school, threeDaysLater)).notices).toEqual([
      `still not sealed after an hour: entry ${late?.id}`,
    ]);
    expect(await seal(school, threeDaysLater)).toEqual({ count: 1 });
    expect(await verifyAll(school, threeDaysLater)).toEqual({
      breaches: [],
      notices: [`sealed more than an hour after their time, or before it: entry ${late?.id}`],
    });
  });

  test('an entry that commits after a later one is sealed after it, and nothing is missing', async () => {
    const school = await schoolWithChain(1);
    await insertEntry(school, NOW, 'waiting');
    const [, waiting] = await entriesOf(school);
    await addEntry(school);
    await seal(school);
    expect(await inPlatform(app.database, (db) => sealMissed(db, configOf(), school.id, NOW))).toEqual({ count: 1 });
    const seals = await app.database.kysely
      .selectFrom('audit_seals')
      .select(['number', 'entry_id'])
      .where('school_id', '=', school.id)
      .orderBy('number')
      .execute();
    expect(seals.map(({ number }) => number)).toEqual([1, 2, 3]);
    expect(seals.at(-1)?.entry_id).toBe(waiting?.id);
    expect(await verify(school)).toEqual([]);
  });

  test('a clock that is 60 days ahead for one night breaks no chain', async () => {
    const school = await schoolWithChain();
    const wrongTime = new Date(NOW.getTime() + 60 * 86_400_000);
    app.setTime(wrongTime.toISOString());
    await addEntry(school);
    await app.runJobs({ scheduled: true });
    app.setTime(LATER.toISOString());
    await addEntry(school);
    await app.runJobs({ scheduled: true });
    const [, , , dated] = await entriesOf(school);
    expect(await verifyAll(school, LATER)).toEqual({ breaches: [], notices: [] });
    expect((await headOf(school))?.last_number).toBe(5);
    // An entry of that night that is sealed after the clock was set right.
    await insertEntry(school, wrongTime);
    await inPlatform(app.database, (db) => sealMissed(db, configOf(), school.id, LATER));
    const { breaches, notices } = await verifyAll(school, LATER);
    expect(breaches).toEqual([]);
    expect(notices).toEqual([expect.stringMatching(/^sealed more than an hour after their time, or before it: /)]);
    expect(notices[0]).not.toContain(String(dated?.id));
  });

  test('an erasure is counted in the signed head, and the chain still holds', async () => {
    const school = await schoolWithChain();
    const [first, second] = await entriesOf(school);
    const erase = (ids: number[]) =>
      inPlatform(app.database, (db) => eraseDetails(db, school.id, ids, { config: configOf(), receipt: RECEIPT }));
    expect(await erase([second!.id])).toBe(1);
    expect(await erase([second!.id, first!.id])).toBe(2);
    expect(await erase([])).toBe(0);
    expect((await headOf(school))?.erased).toBe(2);
    expect(await verify(school)).toEqual([]);
    const { rows } = await sql<{ details: string }>`
      select details::text as details from audit_log where school_id = ${school.id} order by id limit 2`.execute(
      app.database.kysely,
    );
    expect(rows.map(({ details }) => details)).toEqual(['{}', '{}']);
  });

  test('an entry that is erased before it is sealed is sealed without its details and not counted', async () => {
    const school = await app.build.school();
    await addEntry(school);
    const [entry] = await entriesOf(school);
    await inPlatform(app.database, (db) =>
      eraseDetails(db, school.id, [entry!.id], { config: configOf(), receipt: RECEIPT }),
    );
    await seal(school);
    expect((await headOf(school))?.erased).toBe(0);
    expect(await verify(school)).toEqual([]);
  });

  test('an erasure in a chain that someone changed empties the details and does not sign the head', async () => {
    const school = await schoolWithChain();
    const [first] = await entriesOf(school);
    await change(sql`update audit_chains set signature = '\\x01' where school_id = ${school.id}`);
    const work = inPlatform(app.database, (db) =>
      eraseDetails(db, school.id, [first!.id], { config: configOf(), receipt: RECEIPT }),
    );
    expect(await work).toBe(1);
    expect((await headOf(school))?.signature).toEqual(Buffer.from([1]));
  });

  test('two erasures and two sealings at the same time leave a chain that holds', async () => {
    const school = await schoolWithChain();
    const [first, second] = await entriesOf(school);
    for (let n = 0; n < 3; n += 1) await addEntry(school);
    const erase = (id: number) =>
      inPlatform(app.database, (db) => eraseDetails(db, school.id, [id], { config: configOf(), receipt: RECEIPT }));
    await Promise.all([seal(school), erase(first!.id), seal(school), erase(second!.id)]);
    expect((await headOf(school))?.erased).toBe(2);
    expect((await headOf(school))?.last_number).toBe(6);
    expect(await verify(school, LATER)).toEqual([]);
  });

  test('the signature of a former key is accepted, and that of any other key is not', async () => {
    const school = await schoolWithChain();
    const own = configOf();
    const current = own.secretsKeys.length > 0 ? own.secretsKeys : ['unused'];
    expect(await verify(school, NOW, { ...own, secretsKeys: ['new'] })).toEqual([
      'the signature does not match, or was made with another SECRETS_KEY',
    ]);
    await inPlatform(app.database, async (db) => {
      const { signature, ...head } = (await findHead(db, school.id))!;
      await saveHead(db, { ...own, secretsKeys: ['old'] }, school.id, signature, head);
    });
    expect(await verify(school, NOW, { ...own, secretsKeys: ['new', 'old'] })).toEqual([]);
    expect(await verify(school, NOW, { ...own, secretsKeys: [...current] })).toHaveLength(1);
    const withoutKey = await readInPlatform(app.database, (db) => verifySchool(db, school.id, NOW));
    expect(withoutKey.breaches).toEqual([]);
  });

  test('pruning moves the beginning of the chain, and counts erased entries that are left', async () => {
    const school = await schoolWithChain();
    const twoYearsLater = new Date('2028-11-18T12:00:00.000Z');
    app.setTime(twoYearsLater.toISOString());
    await addEntry(school);
    await seal(school, twoYearsLater);
    const entries = await entriesOf(school);
    for (const { id } of [entries[0]!, entries.at(-1)!])
      await inPlatform(app.database, (db) =>
        eraseDetails(db, school.id, [id], { config: configOf(), receipt: RECEIPT }),
      );
    const list = (before: Date) =>
      readInPlatform(app.database, (db) => listSchoolsToPrune(db, before, school.id - 1, 1));
    expect(await list(new Date(NOW.getTime() - 1))).not.toEqual([school.id]);
    expect(await list(NOW)).toEqual([school.id]);
    const prune = () => inPlatform(app.database, (db) => pruneEntries(db, configOf(), school.id, NOW));
    expect(await prune()).toEqual({ count: 3 });
    expect(await prune()).toEqual({ count: 0 });
    expect(await entriesOf(school)).toHaveLength(1);
    expect(await headOf(school)).toMatchObject({ first_number: 3, last_number: 4, erased: 2 });
    expect(await verify(school, twoYearsLater)).toEqual([]);
  });

  test('a chain whose signature does not match is neither extended nor pruned', async () => {
    const school = await schoolWithChain();
    await addEntry(school);
    await change(sql`update audit_chains set last_number = 2 where school_id = ${school.id}`);
    const breach = 'the signature does not match, or was made with another SECRETS_KEY';
    expect(await seal(school)).toEqual({ count: 0, breach });
    const prune = inPlatform(app.database, (db) => pruneEntries(db, configOf(), school.id, LATER));
    expect(await prune).toEqual({ count: 0, breach });
    expect(await entriesOf(school)).toHaveLength(4);
  });

  test('the head of a chain is not stored when another process has moved the head, or when it would move back', async () => {
    const school = await schoolWithChain();
    const { signature, ...head } = (await headOf(school))!;
    const save = (previous: Buffer, next: ChainHead) =>
      inPlatform(app.database, (db) => saveHead(db, configOf(), school.id, previous, next));
    await expect(save(RECEIPT, head)).rejects.toThrow('was moved meanwhile, or would move back');
    await expect(save(signature, { ...head, last_number: 2 })).rejects.toThrow('would move back');
    await expect(save(signature, { ...head, erased: -1 })).rejects.toThrow('would move back');
    await save(signature, head);
  });

  test('an operator can begin a chain again, whose numbers continue and which takes in the whole log', async () => {
    const school = await schoolWithChain();
    const [first] = await entriesOf(school);
    await change(sql`delete from audit_log where school_id = ${school.id} and id = ${first!.id}`);
    expect(await verify(school)).toHaveLength(1);
    await inPlatform(app.database, (db) => restartChain(db, configOf(), school.id, LATER));
    await inPlatform(app.database, (db) => sealMissed(db, configOf(), school.id, LATER));
    expect(await headOf(school)).toMatchObject({ first_number: 3, last_number: 5, begun_at: LATER });
    expect(await verifyAll(school, LATER)).toEqual({ breaches: [], notices: [] });
  });

  test('a school’s own transactions can neither read nor change chains, seals and notes', async () => {
    const school = await schoolWithChain();
    const attempt = (statement: ReturnType<typeof sql>) =>
      inSchool(app.database, school.id, (db) => statement.execute(db.tx));
    for (const table of ['audit_chains', 'audit_seals', 'audit_pending', 'audit_alarms']) {
      await expect(attempt(sql`select 1 from ${sql.table(table)}`)).rejects.toThrow('permission denied');
      await expect(attempt(sql`delete from ${sql.table(table)}`)).rejects.toThrow('permission denied');
    }
    await expect(attempt(sql`select audit.delete_entries(1, 1)`)).rejects.toThrow('permission denied');
  });

  test('the jobs seal and prune, and end with the head at its last number', async () => {
    const school = await app.build.school();
    await addEntry(school);
    await app.runJobs({ scheduled: true });
    const sealed = () =>
      app.database.kysely.selectFrom('audit_seals').select('number').where('school_id', '=', school.id).execute();
    expect(await sealed()).toEqual([{ number: 1 }]);
    app.setTime('2028-11-18T12:00:00.000Z');
    await app.runJobs({ scheduled: true });
    expect(await sealed()).toEqual([]);
    expect(await entriesOf(school)).toEqual([]);
    expect(await headOf(school)).toMatchObject({ first_number: 1, last_number: 1 });
  });
});
