import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { inPlatform, readInPlatform } from '../database/platform.ts';
import { inSchool } from '../database/school.ts';
import { testApp } from '../testing/app.ts';
import { chainDigest, digestDetails, digestErased } from './audit-chain.ts';
import { anchorOf, formatAnchor, readAnchors } from './audit-anchors.service.ts';
import { verifySchool } from './audit-chain.queries.ts';
import { findHead } from './audit-head.queries.ts';
import { recordChange } from './audit-log.queries.ts';
import { eraseDetails } from './erase-details.queries.ts';
import { sealPending, sealMissed } from './seal-audit.queries.ts';

/*
 * Attacks with SQL, as the owner of the tables or a superuser, but without SECRETS_KEY: docs/decisions/audit-chain.md
 * lists them by these titles.
 */

const app = testApp();
const folder = mkdtempSync(join(tmpdir(), 'portal-attacks-'));
afterAll(() => rmSync(folder, { recursive: true }));
const NOW = new Date('2026-11-18T12:00:00.000Z');
const NIGHT = new Date('2026-11-19T02:05:00.000Z');
const NEXT_DAY = new Date('2026-11-19T12:00:00.000Z');
const RECEIPT = Buffer.alloc(32, 7);
beforeEach(() => app.setTime(NOW.toISOString()));

const run = (statement: RawBuilder<unknown>) => inPlatform(app.database, (db) => statement.execute(db.tx));
const seal = (id: number, now: Date) => inPlatform(app.database, (db) => sealPending(db, app.services.config, id, now));

/** A school under attack: entries 1 to 5 by number, of which the fourth is erased. */
interface Target {
  id: number;
  teacherId: number;
  /** The IDs of the entries, by number; the first is unused. */
  entries: number[];
  /** The heads of the night before the attack. */
  file: string;
}

const write = (id: number, actor: number | null, name: string) =>
  inSchool(app.database, id, (db) =>
    recordChange(db, { userId: actor, impersonatorId: null }, app.services.clock.now(), {
      action: 'class_created',
      subjectKind: 'class',
      subjectId: 1,
      details: { name },
    }),
  );

const findHeadOf = async (id: number) => (await readInPlatform(app.database, (db) => findHead(db, id)))!;

async function buildTarget(): Promise<Target> {
  const { id, teacher } = await app.build.school();
  for (const name of ['one', 'two', 'three', 'four', 'five']) await write(id, teacher.id, name);
  await seal(id, NOW);
  const entries = await app.database.kysely
    .selectFrom('audit_log')
    .select('id')
    .where('school_id', '=', id)
    .orderBy('id')
    .execute();
  const ids = [0, ...entries.map((entry) => entry.id)];
  const receipt = { config: app.services.config, receipt: RECEIPT };
  await inPlatform(app.database, (db) => eraseDetails(db, id, [ids[4]!], receipt));
  const file = join(folder, `heads-of-${id}.txt`);
  writeFileSync(file, `\n${formatAnchor(anchorOf('head', id, await findHeadOf(id), NIGHT))}\n`);
  return { id, teacherId: teacher.id, entries: ids, file };
}

/** What the next day's check finds, with and without the heads of the night. */
async function check({ id, file }: Target) {
  const anchors = await readAnchors(file);
  return readInPlatform(app.database, async (db) => ({
    withHeads: await verifySchool(db, id, NEXT_DAY, app.services.config, anchors),
    withoutHeads: await verifySchool(db, id, NEXT_DAY, app.services.config),
  }));
}

const changeEntry = (column: RawBuilder<unknown>) => async (target: Target) =>
  run(sql`update audit_log set ${column} where school_id = ${target.id} and id = ${target.entries[2]}`);

interface LogRows {
  chain: unknown;
  seals: unknown;
  log: unknown;
}

/** The rows of a school's log, as a dump of the database has them. */
const copyRows = async (id: number): Promise<LogRows> => {
  const rowsOf = async (table: string) => {
    const { rows } = await sql<{ rows: unknown }>`
      select json_agg(t) as rows from ${sql.table(table)} t where school_id = ${id}`.execute(app.database.kysely);
    return rows[0]?.rows;
  };
  return {
    chain: await rowsOf('audit_chains'),
    seals: await rowsOf('audit_seals'),
    log: await rowsOf('audit_log'),
  };
};

const deleteRows = async (id: number) => {
  for (const table of ['audit_seals', 'audit_chains', 'audit_log', 'audit_pending'])
    await run(sql`delete from ${sql.table(table)} where school_id = ${id}`);
};

async function putBack(id: number, { chain, seals, log }: LogRows): Promise<void> {
  await deleteRows(id);
  for (const [table, rows] of [
    ['audit_chains', chain],
    ['audit_seals', seals],
    ['audit_log', log],
  ] as const)
    await run(sql`
      insert into ${sql.table(table)} overriding system value
      select * from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::json)`);
}

/** Computes seals for what the log has now, as anyone can without the key, and puts their end into the head. */
async function resealWithoutKey({ id }: Target): Promise<void> {
  const head = await findHeadOf(id);
  await run(sql`delete from audit_seals where school_id = ${id}`);
  const { rows } = await sql<Parameters<typeof chainDigest>[1] & { details: string }>`
    select id, at, action, subject_kind, actor_user_id, impersonator_user_id, program_id, subject_id, details::text as details
    from audit_log where school_id = ${id} order by id`.execute(app.database.kysely);
  let digest = head.first_digest;
  for (const [index, entry] of rows.entries()) {
    const details = digestDetails(RECEIPT, entry);
    digest = chainDigest(digest, entry, details, NOW);
    await run(sql`
      insert into audit_seals (school_id, number, entry_id, salt, details_digest, digest, sealed_at)
      values (${id}, ${index + 1}, ${entry.id}, ${RECEIPT}, ${details}, ${digest}, ${NOW})`);
  }
  await run(sql`
    update audit_chains set last_number = ${rows.length}, last_digest = ${digest}, erased_digest = ${digestErased([])}
    where school_id = ${id}`);
}

const forgedHead = sql`jsonb_build_object('first_number', 5, 'first_digest', repeat('00', 32), 'last_number', 5,
  'last_digest', repeat('00', 32), 'erased', 9, 'erased_digest', repeat('00', 32), 'signature', repeat('00', 32))`;

const DETECTED: [title: string, attack: (target: Target) => Promise<unknown>, breach: RegExp][] = [
  ['the action of an entry is changed', changeEntry(sql`action = 'x'`), /was changed/],
  ['the time of an entry is changed', changeEntry(sql`at = at - interval '1 day'`), /was changed/],
  ['the author of an entry is changed', changeEntry(sql`actor_user_id = 1`), /was changed/],
  ['an entry is made to look like the work of support', changeEntry(sql`impersonator_user_id = 1`), /was changed/],
  ['an entry is made to look like the work of a program', changeEntry(sql`program_id = 1`), /was changed/],
  ['the subject of an entry is changed', changeEntry(sql`subject_id = '9'`), /was changed/],
  ['the details of an entry are changed', changeEntry(sql`details = '{"name":"x"}'`), /was changed/],
  [
    'an entry is deleted',
    ({ id, entries }) => run(sql`delete from audit_log where school_id = ${id} and id = ${entries[2]}`),
    /was deleted$/,
  ],
  [
    'an entry is deleted with its seal',
    async ({ id, entries }) => {
      await run(sql`delete from audit_log where school_id = ${id} and id = ${entries[2]}`);
      await run(sql`delete from audit_seals where school_id = ${id} and entry_id = ${entries[2]}`);
    },
    /of the chain is missing/,
  ],
  [
    'an entry is deleted before it is sealed',
    async ({ id, teacherId, entries }) => {
      await write(id, teacherId, 'six');
      await run(sql`delete from audit_log where school_id = ${id} and id > ${entries[5]}`);
      await seal(id, NOW);
    },
    /was deleted before it was sealed/,
  ],
  [
    'the latest entries are cut off with their seals',
    async ({ id, entries }) => {
      await run(sql`delete from audit_log where school_id = ${id} and id >= ${entries[4]}`);
      await run(sql`delete from audit_seals where school_id = ${id} and number >= 4`);
    },
    /the latest entries are missing/,
  ],
  [
    'the latest entries are cut off and the head is moved back',
    async ({ id, entries }) => {
      await run(sql`delete from audit_log where school_id = ${id} and id >= ${entries[5]}`);
      await run(sql`delete from audit_seals where school_id = ${id} and number >= 5`);
      await run(sql`
        update audit_chains c set last_number = l.number, last_digest = l.digest from audit_seals l
        where c.school_id = ${id} and l.school_id = c.school_id and l.number = 4`);
    },
    /the signature does not match/,
  ],
  [
    'chain and seals are deleted and the log is rewritten',
    async (target) => {
      await run(sql`delete from audit_seals where school_id = ${target.id}`);
      await run(sql`delete from audit_chains where school_id = ${target.id}`);
      await changeEntry(sql`action = 'x'`)(target);
      await write(target.id, target.teacherId, 'six');
      await app.runJobs({ scheduled: true });
    },
    /the chain is missing/,
  ],
  ['chain and log of a school are deleted as if it had none', ({ id }) => deleteRows(id), /the chain is missing/],
  [
    'the log is emptied with truncate',
    () => run(sql`truncate audit_log, audit_seals`),
    /the latest entries are missing/,
  ],
  ['all seals are computed again without the key', resealWithoutKey, /the signature does not match/],
  [
    'the log is rewritten and all seals are computed again without the key',
    async (target) => {
      await changeEntry(sql`action = 'x'`)(target);
      await resealWithoutKey(target);
    },
    /the signature does not match/,
  ],
  [
    'all details are emptied with their salts',
    async ({ id }) => {
      await run(sql`update audit_log set details = '{}' where school_id = ${id}`);
      await run(sql`update audit_seals set salt = null where school_id = ${id}`);
    },
    /was changed/,
  ],
  [
    'details are emptied under the number of a receipt',
    async ({ id, entries }) => {
      await run(sql`update audit_log set details = '{}' where school_id = ${id} and id = ${entries[2]}`);
      await run(sql`
        update audit_seals set salt = null, receipt = ${RECEIPT} where school_id = ${id} and entry_id = ${entries[2]}`);
    },
    /details were erased, or erased details came back/,
  ],
  [
    'details are emptied with the portal’s own function',
    ({ id, entries }) =>
      run(sql`select audit.erase_details(${id}, array[${entries[2]}]::bigint[], ${RECEIPT}, null, null)`),
    /details were erased, or erased details came back/,
  ],
  [
    'details are emptied with the portal’s own function and a forged head',
    async ({ id, entries }) => {
      const { signature } = await findHeadOf(id);
      await run(sql`
        select audit.erase_details(${id}, array[${entries[2]}]::bigint[], ${RECEIPT}, ${signature}, ${forgedHead})`);
    },
    /the signature does not match/,
  ],
  [
    'the log is pruned before its time with the portal’s own function',
    async ({ id }) => {
      const { signature } = await findHeadOf(id);
      await run(sql`select audit.prune(${id}, ${signature}, 5, ${forgedHead})`);
    },
    /the signature does not match/,
  ],
  [
    'the log is emptied with the function that erases a school',
    ({ id }) => run(sql`select audit.delete_entries(${id}, 100)`),
    /was deleted$/,
  ],
  [
    'the chain is begun again with the portal’s own function',
    ({ id }) => run(sql`select audit.restart(${id}, now(), ${forgedHead})`),
    /the signature does not match/,
  ],
  [
    'the seals of two entries are exchanged',
    ({ id }) => run(sql`update audit_seals set entry_id = -entry_id where school_id = ${id} and number = 1`),
    /was deleted$/,
  ],
  [
    'an entry is copied from one school to another with its seal',
    async ({ id, entries }) => {
      const other = await buildTarget();
      await run(sql`
        update audit_seals s set salt = o.salt, details_digest = o.details_digest, digest = o.digest from audit_seals o
        where s.school_id = ${id} and s.entry_id = ${entries[2]} and o.school_id = ${other.id} and o.number = 2`);
    },
    /was changed/,
  ],
  [
    'the signed head of another school is put in place',
    async ({ id }) => {
      const other = await buildTarget();
      await run(sql`
        update audit_chains c set signature = o.signature, last_digest = o.last_digest from audit_chains o
        where c.school_id = ${id} and o.school_id = ${other.id}`);
    },
    /the signature does not match/,
  ],
  [
    'the time of a seal is changed so that an entry does not count as late',
    ({ id }) => run(sql`update audit_seals set sealed_at = sealed_at - interval '1 day' where school_id = ${id}`),
    /was changed/,
  ],
];

describe('an attack on the audit log is detected by the next check', () => {
  test.each(DETECTED)('%s', async (_title, attack, breach) => {
    const target = await buildTarget();
    expect(await check(target)).toEqual({
      withHeads: { breaches: [], notices: [] },
      withoutHeads: { breaches: [], notices: [] },
    });
    await attack(target);
    const { withoutHeads } = await check(target);
    expect(withoutHeads.breaches.join('\n')).toMatch(breach);
    // The portal does not sign it afterwards.
    await write(target.id, target.teacherId, 'seven');
    await seal(target.id, NEXT_DAY);
    await inPlatform(app.database, (db) => sealMissed(db, app.services.config, target.id, NEXT_DAY));
    expect((await check(target)).withoutHeads.breaches).not.toEqual([]);
  });
});

describe('an attack with rows that the portal signed is detected by the heads beside the backups', () => {
  const withHeads = async (target: Target) => (await check(target)).withHeads.breaches.join('\n');

  test('an older signed head is put back with its entries', async () => {
    const school = await app.build.school();
    await write(school.id, school.teacher.id, 'one');
    await seal(school.id, NOW);
    const older = await copyRows(school.id);
    await write(school.id, school.teacher.id, 'two');
    await seal(school.id, NOW);
    const file = join(folder, 'rolled-back.txt');
    writeFileSync(file, `${formatAnchor(anchorOf('head', school.id, await findHeadOf(school.id), NIGHT))}\n`);
    await putBack(school.id, older);
    const target = { id: school.id, teacherId: school.teacher.id, entries: [], file };
    expect(await withHeads(target)).toBe('entries are missing: the chain has 1, and had 2 on 2026-11-19');
    expect((await check(target)).withoutHeads.breaches).toEqual([]);
    // The portal continues the older chain, which then has as many entries as before.
    await write(school.id, school.teacher.id, 'another');
    await seal(school.id, NEXT_DAY);
    expect(await withHeads(target)).toBe('the chain up to 2026-11-19 was replaced');
  });

  test('an older signed head is put back with details that were erased since', async () => {
    const target = await buildTarget();
    const older = await copyRows(target.id);
    const receipt = { config: app.services.config, receipt: RECEIPT };
    await inPlatform(app.database, (db) => eraseDetails(db, target.id, [target.entries[1]!], receipt));
    const line = formatAnchor(anchorOf('head', target.id, await findHeadOf(target.id), NIGHT));
    writeFileSync(target.file, `${line}\n`);
    await putBack(target.id, older);
    expect(await withHeads(target)).toBe('erased details came back since 2026-11-19');
  });

  test('heads are taken out of the local file, and the copy off-site shows it', async () => {
    const school = await app.build.school();
    await write(school.id, school.teacher.id, 'one');
    await seal(school.id, NOW);
    const older = await copyRows(school.id);
    const early = formatAnchor(anchorOf('head', school.id, await findHeadOf(school.id), NOW));
    await write(school.id, school.teacher.id, 'two');
    await seal(school.id, NOW);
    const late = formatAnchor(anchorOf('head', school.id, await findHeadOf(school.id), NIGHT));
    await putBack(school.id, older);
    const files = { local: join(folder, 'local.txt'), offSite: join(folder, 'off-site.txt') };
    writeFileSync(files.local, `${early}\n`);
    writeFileSync(files.offSite, `${early}\n${late}\n`);
    const target = { id: school.id, teacherId: school.teacher.id, entries: [] };
    expect(await withHeads({ ...target, file: files.local })).toBe('');
    expect(await withHeads({ ...target, file: files.offSite })).toMatch(/^entries are missing/);
  });

  test('heads that go back within the file are a breach of their own', async () => {
    const file = join(folder, 'back.txt');
    const head = (number: number, fill: string, erased = 0) => `head 7 ${number} ${fill.repeat(64)} ${erased} `;
    const read = async (...lines: string[]) => {
      writeFileSync(file, lines.map((line, day) => `${line}2026-11-1${day}T02:05:00.000Z`).join('\n'));
      return (await readAnchors(file))?.breaches;
    };
    expect(await read(head(1, 'a'), head(2, 'b'), head(2, 'b', 1))).toEqual([]);
    expect(await read(head(2, 'a'), head(1, 'b'))).toEqual(['school 7: the heads of 2026-11-11 go back']);
    expect(await read(head(2, 'a'), head(2, 'b'))).toEqual(['school 7: the heads of 2026-11-11 go back']);
    expect(await read(head(2, 'a', 1), head(3, 'b'))).toEqual(['school 7: the heads of 2026-11-11 go back']);
    expect(await read(head(2, 'a'), head(1, 'b').replace('head', 'restart'), head(2, 'c'))).toEqual([]);
    expect(await readAnchors(join(folder, 'missing.txt'))).toBeUndefined();
  });
});

describe('an attack on the audit log is not detected', () => {
  const expectNothing = async (target: Target) =>
    expect(await check(target)).toEqual({
      withHeads: { breaches: [], notices: [] },
      withoutHeads: { breaches: [], notices: [] },
    });

  test('an entry is forged in a teacher’s name as the portal would write it', async () => {
    const target = await buildTarget();
    await run(sql`
      with added as (
        insert into audit_log (school_id, at, action, subject_kind, subject_id, actor_user_id)
        values (${target.id}, ${NOW}, 'pupils_deleted', 'school', '1', ${target.teacherId}) returning id)
      insert into audit_pending (school_id, entry_id) select ${target.id}, id from added`);
    await seal(target.id, NOW);
    await expectNothing(target);
  });

  test('an entry is changed before it is sealed', async () => {
    const target = await buildTarget();
    await write(target.id, target.teacherId, 'six');
    await run(sql`update audit_log set action = 'x' where school_id = ${target.id} and id > ${target.entries[5]}`);
    await seal(target.id, NOW);
    await expectNothing(target);
  });

  test('an older signed head is put back that is newer than the last night', async () => {
    const target = await buildTarget();
    const older = await copyRows(target.id);
    await write(target.id, target.teacherId, 'six');
    await seal(target.id, NOW);
    await putBack(target.id, older);
    await expectNothing(target);
  });

  test('an entry is forged with an earlier time, which only a notice shows', async () => {
    const target = await buildTarget();
    await run(sql`
      insert into audit_log (school_id, at, action, subject_kind) values (${target.id}, ${NOW}, 'x', 'school')`);
    const twoDaysLater = new Date('2026-11-20T12:00:00.000Z');
    await inPlatform(app.database, (db) => sealMissed(db, app.services.config, target.id, twoDaysLater));
    const { withHeads } = await check(target);
    expect(withHeads).toEqual({
      breaches: [],
      notices: [expect.stringMatching(/^sealed more than an hour after their time, or before it: entry \d+$/)],
    });
  });
});
