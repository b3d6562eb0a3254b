import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testApp } from '../testing/app.ts';
import { withClusterExtension } from '../testing/cluster-extension.ts';
import type { BuiltSchool } from '../testing/builder.ts';
import { dumpDatabase } from '../testing/dump.ts';
import { makeRestoreTarget, type RestoreTarget } from '../testing/restore-target.ts';
import type { Database } from '../database/database.ts';
import { requireServer } from '../database/embedded.ts';
import { inPlatform } from '../database/platform.ts';
import { inSchool } from '../database/school.ts';
import { backUp, deleteStalePartials } from './backup.ts';
import type { Manifest } from './backup-file.ts';
import { checkInvariants } from '../database/invariants.queries.ts';
import { restore } from './restore.ts';

const app = testApp();
const folder = mkdtempSync(join(tmpdir(), 'portal-backups-'));
const whole = join(folder, 'whole.backup');
let school: BuiltSchool;
let manifest: Manifest;
/** Before and after the backup: the queue, which runs, writes rows of its own. */
let rowsBefore: string[];
let rowsAfter: string[];

const rowsOf = async (from: Database): Promise<string[]> =>
  (await dumpDatabase(from))
    .split('\n')
    .filter((row) => !/^(rate_limits|version|queue|bam):/.test(row))
    .sort();

beforeAll(async () => {
  const built = await app.build.twoSchools();
  school = built.school;
  await app.build.reading(school, school.ownClass.pupils[0]!.id, [
    { started_at: '2026-11-16T09:00:00Z' },
    { started_at: '2026-11-17T09:00:00Z', book_id: 102 },
  ]);
  await app.build.invoice(school);
  rowsBefore = await rowsOf(app.database);
  manifest = await backUp(app.database, whole, app.services.clock.now());
  rowsAfter = await rowsOf(app.database);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('a backup that is restored', () => {
  let target: RestoreTarget;
  let restored: Awaited<ReturnType<typeof restore>>;
  let database: Database;
  beforeAll(async () => {
    target = await makeRestoreTarget(folder);
    restored = await restore(target.databaseUrl, whole);
    database = await target.open();
  });
  afterAll(async () => {
    await database.close();
    await target.remove();
  });

  test('a restored backup contains every row, including those of the queue', async () => {
    const rows = await rowsOf(database);
    expect([rowsBefore, rowsAfter]).toContainEqual(rows);
  });

  test('a restore describes the backup, counts its content and finds all rules followed', async () => {
    expect(restored.manifest).toEqual(manifest);
    expect(restored.counts).toMatchObject({ schools: 2, sessions: 2 });
    expect(restored.findings).toHaveLength(6);
    expect(restored.findings.filter(({ breaches }) => breaches.length > 0)).toEqual([]);
  });

  test('a restored database isolates schools by roles and policies', async () => {
    const rows = await inSchool(database, school.id, (db) =>
      db.tx.selectFrom('pupils').select('school_id').distinct().execute(),
    );
    expect(rows).toEqual([{ school_id: school.id }]);
  });

  test("a backup is readable only by the portal's user", () => {
    expect((statSync(whole).mode & 0o777).toString(8)).toBe('600');
  });

  test('a restore is rejected where the database has tables', async () => {
    await expect(restore(target.databaseUrl, whole)).rejects.toThrow('The database is not empty');
    expect((await dumpDatabase(database)).length).toBeGreaterThan(1000);
  });
});

describe('a file that is not restored', () => {
  let target: RestoreTarget;
  beforeAll(async () => void (target = await makeRestoreTarget(folder)));
  afterAll(() => target.remove());

  const assertRejected = async (change: (path: string) => void, words: string) => {
    const path = join(folder, 'changed.backup');
    copyFileSync(whole, path);
    change(path);
    await expect(restore(target.databaseUrl, path)).rejects.toThrow(words);
    const database = await target.open();
    const { rows } = await sql`select from pg_class where relnamespace = 'public'::regnamespace`.execute(
      database.kysely,
    );
    await database.close();
    expect(rows).toEqual([]);
  };
  /** The same content, followed by another line. */
  const claim = (change: object) => (path: string) => {
    truncateSync(path, manifest.bytes);
    const line = `\n${JSON.stringify({ ...manifest, ...change })}\n`;
    writeFileSync(path, Buffer.concat([readFileSync(path), Buffer.from(line)]));
  };

  test.each<[string, (path: string) => void, string]>([
    ['that does not exist', (path) => rmSync(path), 'does not exist'],
    ['that is empty', (path) => truncateSync(path), 'is not a backup of the portal'],
    ['cut in the middle', (path) => truncateSync(path, Math.floor(statSync(path).size / 2)), 'its end is missing'],
    ['cut by its last byte', (path) => truncateSync(path, statSync(path).size - 1), 'its end is missing'],
    ['without its line, as pg_dump writes it', (path) => truncateSync(path, manifest.bytes), 'is not a backup'],
    [
      'with one changed byte',
      (path) => {
        const bytes = readFileSync(path);
        bytes[1000] = bytes[1000]! ^ 1;
        writeFileSync(path, bytes);
      },
      'is damaged',
    ],
    ['with its beginning cut off', (path) => writeFileSync(path, readFileSync(path).subarray(10)), 'is damaged'],
    [
      'that is encrypted',
      (path) => writeFileSync(path, 'age-encryption.org/v1\n-> X25519'),
      'Open it first, with the private key: age -d -i KEY.txt',
    ],
    ['of another product', claim({ format: 'another-backup' }), 'is not a backup of the portal'],
    ['of a later version', claim({ version: 2 }), 'newer version'],
    ['of a newer schema', claim({ schema: '9999_of_tomorrow' }), 'newer version'],
    ['of another kind', claim({ kind: 'embedded' }), 'is not a backup of the portal'],
  ])('a restore rejects a file %s, and the database stays empty', async (_, change, words) =>
    assertRejected(change, words),
  );
});

describe('a backup', () => {
  test('a backup begins as pg_restore expects', () => {
    expect(readFileSync(whole).subarray(0, 5).toString('latin1')).toBe('PGDMP');
  });

  test('a backup never replaces a file', async () => {
    await expect(backUp(app.database, whole, new Date())).rejects.toThrow('already exists');
  });

  test('a backup of a cluster is rejected with what to do instead', async () => {
    await withClusterExtension(app.database, async () => {
      const path = join(folder, 'cluster.backup');
      await expect(backUp(app.database, path, new Date())).rejects.toThrow('docs/running.md, "Back up a cluster"');
      expect(readdirSync(folder).filter((name) => name.startsWith('cluster'))).toEqual([]);
    });
  });

  test('a backup leaves no file on a full disk', async () => {
    const path = join(folder, 'full.backup');
    const engine = requireServer(app.database);
    // The file exists, but nothing more can be written to it.
    const fill = () => {
      rmSync(`${path}.partial`);
      symlinkSync('/dev/full', `${path}.partial`);
    };
    const filled: Database['engine'] = {
      ...engine,
      get pool() {
        fill();
        return engine.pool;
      },
    };
    await expect(backUp({ ...app.database, engine: filled }, path, new Date())).rejects.toThrow(/no space left/i);
    expect(readdirSync(folder).filter((name) => name.startsWith('full'))).toEqual([]);
  });

  /** PostgreSQL may end the session of a dump a moment after pg_dump has ended, and until then no backup starts. */
  async function waitForDumps(): Promise<void> {
    const countDumps = async () => {
      const { rows } = await sql`
        select from pg_stat_activity where application_name = 'portal-backup' and datname = current_database()`.execute(
        app.database.kysely,
      );
      return rows.length;
    };
    await expect.poll(countDumps).toBe(0);
  }
  beforeEach(waitForDumps);

  test('a backup does not start during another one, and succeeds once that has ended', async () => {
    const [first, second] = [join(folder, 'first.backup'), join(folder, 'second.backup')];
    const results = await Promise.allSettled([
      backUp(app.database, first, new Date()),
      backUp(app.database, second, new Date()),
    ]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { message: 'Another backup of this database is running, or an upgrade. Try again once it has finished.' },
    });
    expect([existsSync(first), existsSync(second)].sort()).toEqual([false, true]);
    rmSync(existsSync(first) ? first : second);
    await waitForDumps();
    await backUp(app.database, second, new Date());
  });

  test('a backup does not start during a dump whose process was killed', async () => {
    const dump = new pg.Client({ ...requireServer(app.database).ownerPool.options, application_name: 'portal-backup' });
    await dump.connect();
    const path = join(folder, 'beside.backup');
    await expect(backUp(app.database, path, new Date())).rejects.toThrow('Another backup of this database is running');
    await dump.end();
    await waitForDumps();
    await backUp(app.database, path, new Date());
  });

  test('a backup that a killed process left incomplete is deleted after an hour, and other files are not', async () => {
    const nightly = mkdtempSync(join(folder, 'killed-'));
    const now = new Date('2026-11-18T02:15:00.000Z');
    const leave = (name: string, minutesAgo: number) => {
      const time = new Date(now.getTime() - minutesAgo * 60_000);
      writeFileSync(join(nightly, name), 'children');
      utimesSync(join(nightly, name), time, time);
    };
    leave('portal-2026-11-17T02-15-00Z.backup.partial', 61);
    leave('portal-2026-11-18T01-20-00Z.backup.partial', 55);
    leave('portal-2026-11-17T02-15-00Z.backup', 61);
    leave('letter.partial', 61);
    await deleteStalePartials(nightly, now);
    expect(readdirSync(nightly).sort()).toEqual([
      'letter.partial',
      'portal-2026-11-17T02-15-00Z.backup',
      'portal-2026-11-18T01-20-00Z.backup.partial',
    ]);
    await deleteStalePartials(join(nightly, 'none'), now);
  });
});

describe('the rules of a database', () => {
  const breaches = async () =>
    (await inPlatform(app.database, checkInvariants))
      .filter((found) => found.breaches.length > 0)
      .map(({ rule }) => rule);
  const undone = new Error('undone');
  /** Breaks something, checks the rules and rolls back. */
  const broken = async (statement: string): Promise<string[]> => {
    let found: string[] = [];
    await inPlatform(app.database, async (db) => {
      await sql.raw(statement).execute(db.tx);
      found = (await checkInvariants(db)).filter((finding) => finding.breaches.length > 0).map(({ rule }) => rule);
      throw undone;
    }).catch((error: unknown) => {
      if (error !== undone) throw error;
    });
    return found;
  };
  // The data of the other tests in this file follow the rules.
  beforeEach(async () => {
    const found = await breaches();
    if (found.length > 0) throw new Error(`Broken before the test: ${found.join(', ')}`);
  });

  test.each([
    ['update reading_sessions set reading_time = reading_time + 1', 'reading sessions add up'],
    ['delete from reading_days', 'reading sessions add up'],
    ['update school_reading_days set words_correct = words_correct - 1', 'daily totals are those of its pupils'],
    ["update staff set role = 'teacher'", 'has an admin'],
    ["update document_numbers set last = last + 1 where kind = 'invoice'", 'invoices are numbered'],
    ['update document_numbers set last = 7', 'credit notes are numbered'],
    ['delete from pupil_logins where pupil_id = (select min(pupil_id) from pupil_logins)', 'one login'],
  ])('the checks of a database find what breaks a rule after `%s`', async (statement, rule) => {
    expect((await broken(statement)).join()).toContain(rule);
  });
});
