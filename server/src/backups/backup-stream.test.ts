import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { Decrypter, generateIdentity, identityToRecipient } from 'age-encryption';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testApp } from '../testing/app.ts';
import { makeRestoreTarget } from '../testing/restore-target.ts';
import { readBackup, writeBackupFile } from './backup-file.ts';
import { backUp } from './backup.ts';
import { restore } from './restore.ts';

const app = testApp();
const folder = mkdtempSync(join(tmpdir(), 'portal-streams-'));
afterAll(() => rmSync(folder, { recursive: true }));
const NOW = new Date('2026-11-22T02:15:00.000Z');

/** PostgreSQL may end the session of a dump a moment after pg_dump has ended, and until then no backup starts. */
const countDumps = async () => {
  const { rows } = await sql`
    select from pg_stat_activity where application_name = 'portal-backup' and datname = current_database()`.execute(
    app.database.kysely,
  );
  return rows.length;
};
const waitForDumps = async () => {
  await expect.poll(countDumps).toBe(0);
};
beforeEach(waitForDumps);

const endDumps = () =>
  sql`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'portal-backup' and datname = current_database()`.execute(app.database.kysely);

const hashOf = (parts: Iterable<Uint8Array>): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
};

let made = 0;
const newPath = () => join(folder, `${(made += 1)}.backup`);

describe('the copy of a backup', () => {
  test('the copy of a backup is the content without the line that describes it', async () => {
    const path = newPath();
    const parts: Buffer[] = [];
    const copyTo = new Writable({
      write(part: Buffer, _, done) {
        parts.push(part);
        done();
      },
    });
    const copied = finished(copyTo);
    const manifest = await backUp(app.database, path, NOW, { copyTo });
    await copied;
    expect(hashOf(parts)).toBe(manifest.sha256);
    expect(await readBackup(path)).toEqual(manifest);
  });

  test('a backup whose copy fails is complete, and the copy reports the error', async () => {
    const path = newPath();
    const copyTo = new Writable({ write: (_part, _encoding, done) => done(new Error('The consumer failed.')) });
    const copied = finished(copyTo).catch((error: Error) => error.message);
    const manifest = await backUp(app.database, path, NOW, { copyTo });
    expect(await copied).toBe('The consumer failed.');
    expect(await readBackup(path)).toEqual(manifest);
  });

  test('a backup whose copy accepts nothing gives up the copy after its limit, and is complete', async () => {
    const path = newPath();
    const copyTo = new Writable({ highWaterMark: 1, write: () => undefined });
    const copied = finished(copyTo).catch((error: Error) => error.message);
    const manifest = await backUp(app.database, path, NOW, { copyTo, copyTimeoutMs: 20 });
    expect(await copied).toBe('The copy of the backup accepted nothing for 0.02 seconds.');
    expect(await readBackup(path)).toEqual(manifest);
  });

  test('the copy of a backup that cannot begin is destroyed', async () => {
    const path = newPath();
    writeFileSync(path, '');
    const copyTo = new Writable({ write: (_part, _encoding, done) => done() });
    const copied = finished(copyTo).catch((error: Error) => error.message);
    await expect(backUp(app.database, path, NOW, { copyTo })).rejects.toThrow('already exists');
    expect(await copied).toContain('already exists');
  });

  test('a backup waits until its copy accepts more', async () => {
    const path = newPath();
    writeFileSync(path, '');
    let produced = 0;
    const produce = async function* (): AsyncGenerator<Uint8Array> {
      for (; produced < 200; produced += 1) yield new Uint8Array(1_000_000);
    };
    const waiting = Promise.withResolvers<() => void>();
    const copyTo = new Writable({
      write(_part, _encoding, done) {
        if (produced === 3) waiting.resolve(done);
        else done();
      },
    });
    const about = { kind: 'server', postgres: 15, schema: '0001', created_at: NOW.toISOString() } as const;
    const written = writeBackupFile(path, produce, about, { copyTo });
    const release = await waiting.promise;
    // Everything that does not depend on the copy has had its turn.
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(produced).toBe(3);
    produced = 198;
    release();
    expect((await written).bytes).toBe(5_000_000);
  });
});

describe('a dump', () => {
  test('a backup whose dump ends early leaves no file, and its copy fails with the same error', async () => {
    const path = newPath();
    const copyTo = new Writable({
      highWaterMark: 1,
      // The first part is only accepted once the session of the dump has been ended.
      write: (_part, _encoding, done) => void endDumps().finally(done),
    });
    const copied = finished(copyTo).catch((error: Error) => error.message);
    await expect(backUp(app.database, path, NOW, { copyTo })).rejects.toThrow('pg_dump failed');
    expect(await copied).toContain('pg_dump failed');
    expect(existsSync(path)).toBe(false);
    expect(existsSync(`${path}.partial`)).toBe(false);
  });

  test('a dump ends with the process, and leaves no file', async () => {
    const path = newPath();
    const stopping = new AbortController();
    const copyTo = new Writable({
      write: () => stopping.abort(new Error('The process is stopping.')),
    });
    const { signal } = stopping;
    await expect(backUp(app.database, path, NOW, { copyTo, signal })).rejects.toThrow();
    expect(copyTo.destroyed).toBe(true);
    expect(readdirSync(folder).filter((name) => name.endsWith('.partial'))).toEqual([]);
    await expect.poll(countDumps).toBe(0);
  });
});

describe('an encrypted backup', () => {
  let path: string;
  let keys: string[];
  const plain = join(folder, 'opened.backup');
  beforeAll(async () => {
    await app.build.school();
    path = `${newPath()}.age`;
    keys = [await generateIdentity(), await generateIdentity()];
    const recipients = await Promise.all(keys.map(identityToRecipient));
    await backUp(app.database, path, NOW, { recipients });
  });

  test('an encrypted backup can be opened with each of its keys, and with no other', async () => {
    const open = async (key: string) => {
      const decrypter = new Decrypter();
      decrypter.addIdentity(key);
      return Buffer.from(await decrypter.decrypt(readFileSync(path)));
    };
    const opened = await open(keys[0]!);
    expect((await open(keys[1]!)).equals(opened)).toBe(true);
    await expect(open(await generateIdentity())).rejects.toThrow('no identity matched');
    writeFileSync(plain, opened);
    expect(await readBackup(plain)).toMatchObject({ created_at: NOW.toISOString(), bytes: opened.lastIndexOf('\n{') });
  });

  test('an encrypted backup contains nothing that can be read without a key', () => {
    const content = readFileSync(path, 'latin1');
    expect(content.startsWith('age-encryption.org/v1\n')).toBe(true);
    expect(content).not.toContain('school-portal-backup');
    expect(content).not.toContain('PGDMP');
  });

  test.runIf(spawnSync('age', ['--version']).status === 0)(
    'an encrypted backup is restored after `age` has opened it',
    async () => {
      const keyFile = join(folder, 'key.txt');
      const opened = join(folder, 'opened-by-age.backup');
      writeFileSync(keyFile, `${keys[1]}\n`);
      const { status, stderr } = spawnSync('age', ['-d', '-i', keyFile, '-o', opened, path], { encoding: 'utf8' });
      expect([status, stderr]).toEqual([0, '']);
      const target = await makeRestoreTarget(folder);
      try {
        expect(await restore(target.databaseUrl, opened)).toMatchObject({ counts: { schools: 1 } });
      } finally {
        await target.remove();
      }
    },
  );
});
