import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { expect, inject, test } from 'vitest';
import { makeEmptyDatabase } from '../testing/databases.ts';
import { openEmbedded } from './database.ts';
import { dumpSchema } from './dump-schema.queries.ts';
import { migrate } from './migrations.ts';

const LINK = 'a2f1c0de-1111-4222-8333-444455556666';

/** A school as the version of 0010 stored it: two books completed on one day, one of them twice, and an invite. */
const SCHOOL = `
insert into schools (id, name, created_at) values (1, 'Oak Row', '2026-01-05T09:00:00Z');
insert into users (id, email, email_key, first_name, last_name, password_hash, user_type, school_id, created_at)
  values (1, 'head@oak.example', 'head@oak.example', 'Olive', 'Oak', 'x', 'enterprise', 1, '2026-01-05T09:00:00Z');
insert into staff (school_id, user_id, role, joined_at) values (1, 1, 'admin', '2026-01-05T09:00:00Z');
insert into pupils (school_id, id, name, name_key, username, password_hash, created_at)
  values (1, 1, 'Ada Baker', 'ada baker', 'ada-baker', 'x', '2026-01-05T09:00:00Z'),
         (1, 2, 'Ben Carr', 'ben carr', 'ben-carr', 'x', '2026-01-05T09:00:00Z');
insert into collections (key, title, position) values ('first', 'First', 1);
insert into books (id, title, description, collection_key, reading_level, pages_count)
  values (1, 'Otters', '', 'first', 2, 8), (2, 'Wrens', '', 'first', 3, 8);
insert into reading_sessions (school_id, id, pupil_id, book_id, reading_level, started_at, received_at, reading_time, last_page,
  words_attempted, words_correct, has_completed_book, heatmap, played_words, skipped_words)
select 1, gen_random_uuid(), pupil, book, level, started::timestamptz, started::timestamptz, 60, 8, 50, 45, completed, '{}', '{}', '{}'
from (values (1, 1, 2, '2026-06-30T22:30:00Z', true), (1, 1, 2, '2026-07-01T09:00:00Z', true),
             (1, 1, 2, '2026-07-01T15:00:00Z', true), (1, 2, 3, '2026-07-01T15:30:00Z', true),
             (2, 1, 2, '2026-07-01T10:00:00Z', false)) as session (pupil, book, level, started, completed);
insert into reading_days (school_id, pupil_id, day, reading_level, reading_time, words_attempted, words_correct, books_completed)
  values (1, 1, '2026-06-30', 2, 60, 50, 45, 1), (1, 1, '2026-07-01', 2, 120, 100, 90, 2),
         (1, 1, '2026-07-01', 3, 60, 50, 45, 1), (1, 2, '2026-07-01', 2, 60, 50, 45, 0);
insert into invite_links (id, school_id) values ('${LINK}', 1);
insert into invites (school_id, id, email, email_key, name, status, invited_by, created_at, expires_at)
  values (1, '${LINK}', 'new@oak.example', 'new@oak.example', 'New', 'pending', 1, '2026-07-01T09:00:00Z', '2026-07-15T09:00:00Z');
insert into audit_log (school_id, at, actor_user_id, action, subject_kind, subject_id)
  values (1, '2026-07-01T09:00:00Z', 1, 'invite_sent', 'invite', '${LINK}');
`;

test('a database of an earlier version retains its rows in the current schema', async () => {
  const { database, remove } = await makeEmptyDatabase(inject('template'));
  const { kysely, engine } = database;
  const rowsOf = async (query: string) => (await sql.raw(query).execute(kysely)).rows;
  try {
    await migrate(kysely, '0010_school_features');
    await (engine.kind === 'embedded' ? engine.pglite.exec(SCHOOL) : engine.ownerPool.query(SCHOOL));
    await migrate(kysely);

    // A day is in the school's time zone: 10:30 pm UTC is 11:30 pm of the same day in June.
    expect(
      await rowsOf(
        'select pupil_id, day::text, book_id, reading_level from book_completions order by pupil_id, day, book_id',
      ),
    ).toEqual([
      { pupil_id: 1, day: '2026-06-30', book_id: 1, reading_level: 2 },
      { pupil_id: 1, day: '2026-07-01', book_id: 1, reading_level: 2 },
      { pupil_id: 1, day: '2026-07-01', book_id: 2, reading_level: 3 },
    ]);
    expect(
      await rowsOf(
        `select day::text, reading_level, reading_time::int, words_attempted::int, words_correct::int
         from school_reading_days order by day, reading_level`,
      ),
    ).toEqual([
      { day: '2026-06-30', reading_level: 2, reading_time: 60, words_attempted: 50, words_correct: 45 },
      { day: '2026-07-01', reading_level: 2, reading_time: 180, words_attempted: 150, words_correct: 135 },
      { day: '2026-07-01', reading_level: 3, reading_time: 60, words_attempted: 50, words_correct: 45 },
    ]);
    expect(await rowsOf('select email_confirmed_at = created_at as is_confirmed from users')).toEqual([
      { is_confirmed: true },
    ]);

    const [link] = (await rowsOf('select invite_id, token_hash from invite_links')) as {
      invite_id: string;
      token_hash: Buffer;
    }[];
    expect(Buffer.from(link!.token_hash)).toEqual(createHash('sha256').update(LINK).digest());
    expect(link!.invite_id).not.toBe(LINK);
    expect(await rowsOf('select id, status from invites')).toEqual([{ id: link!.invite_id, status: 'pending' }]);
    expect(await rowsOf('select subject_id from audit_log')).toEqual([{ subject_id: link!.invite_id }]);
    const dump =
      JSON.stringify(await rowsOf('select * from invites')) + JSON.stringify(await rowsOf('select * from audit_log'));
    expect(dump).not.toContain(LINK);
  } finally {
    await remove();
  }
});

if (inject('template').kind === 'embedded')
  test('a process of the embedded database that is killed during an upgrade keeps the migrations that were complete', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'portal-killed-'));
    // It exits, as if killed, once the table of the second missing migration exists.
    const upgrade = `
      import { openEmbedded } from './server/src/database/database.ts';
      import { migrate } from './server/src/database/migrations.ts';
      let isUnderWay = false;
      const { kysely } = await openEmbedded(process.argv[1], undefined, (text) => {
        if (isUnderWay && text.includes('create table school_reading_days')) process.kill(process.pid, 'SIGKILL');
      });
      await migrate(kysely, '0010_school_features');
      isUnderWay = true;
      await migrate(kysely);`;
    const killed = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', upgrade, folder], {
      cwd: join(import.meta.dirname, '../../..'),
    });
    await expect(killed).rejects.toMatchObject({ signal: 'SIGKILL' });
    const database = await openEmbedded(folder);
    try {
      const done = async () =>
        (await sql<{ name: string }>`select max(name) as name from kysely_migration`.execute(database.kysely)).rows[0];
      expect(await done()).toEqual({ name: '0011_book_completions' });
      await migrate(database.kysely);
      expect(await dumpSchema(database.kysely)).toBe(readFileSync(join(import.meta.dirname, 'schema.sql'), 'utf8'));
    } finally {
      await database.close();
      rmSync(folder, { recursive: true });
    }
  });
