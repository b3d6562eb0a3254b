import { beforeEach, expect, inject, test } from 'vitest';
import { fingerprintsOf } from '../auth/secrets-key.ts';
import { testApp } from '../testing/app.ts';
import { makeEmptyDatabase } from '../testing/databases.ts';
import { inPlatform, readInPlatform } from './platform.ts';
import { admitKeys, checkKeys, forgetKey, listKeys, readKeyProblem, retireKey } from './secret-keys.ts';

const app = testApp();
const NOW = new Date('2026-11-18T12:00:00.000Z');
const [OLD, NEW, OTHER] = ['a'.repeat(16), 'b'.repeat(16), 'c'.repeat(16)] as const;

beforeEach(() => app.database.kysely.deleteFrom('secret_keys').execute());

const admit = (...offered: string[]) => admitKeys(app.database, offered, NOW);
const retire = (fingerprint: string) => inPlatform(app.database, (db) => retireKey(db, fingerprint, NOW));
const list = async () =>
  (await readInPlatform(app.database, listKeys)).map(({ fingerprint, retired_at: retiredAt }) => [
    fingerprint,
    retiredAt,
  ]);

test('the first start records every key of SECRETS_KEY, the oldest first', async () => {
  expect(await admit(NEW, OLD)).toEqual([]);
  expect(await list()).toEqual([
    [OLD, null],
    [NEW, null],
  ]);
});

test('a start without any key of the database is rejected with both keys, and records nothing', async () => {
  await admit(OLD);
  await expect(admit(NEW)).rejects.toThrow(`SECRETS_KEY does not contain the key of this database, ${OLD}, but ${NEW}`);
  expect(await list()).toEqual([[OLD, null]]);
});

test('a start with a new key in front of a known one records the new key, which then starts alone', async () => {
  await admit(OLD);
  await admit(OLD, NEW);
  expect(await list()).toEqual([[OLD, null]]);
  expect(await admit(NEW, OLD)).toEqual([]);
  expect(await list()).toEqual([
    [OLD, null],
    [NEW, null],
  ]);
  expect(await admit(NEW), 'the key that is still in use').toEqual([OLD]);
});

test('a retired key is accepted behind the current one, and never in front of the current one or alone', async () => {
  await admit(NEW, OLD);
  expect(await retire(OLD)).toBe(true);
  expect(await retire(OLD), 'a second time').toBe(false);
  expect(await admit(NEW, OLD)).toEqual([]);
  for (const offered of [[OLD], [OLD, NEW]])
    await expect(admit(...offered)).rejects.toThrow(
      `SECRETS_KEY begins with the key ${OLD}, which was retired on 2026-11-18. Put the current key first: ${NEW}`,
    );
  expect(await list()).toEqual([
    [OLD, NOW],
    [NEW, null],
  ]);
});

test('two processes that start at the same time with the same keys record each key once', async () => {
  await Promise.all([admit(NEW, OLD), admit(NEW, OLD)]);
  expect((await list()).map(([fingerprint]) => fingerprint).sort()).toEqual([OLD, NEW]);
});

test('a lost key is retired by its fingerprint, and the portal starts with its current key', async () => {
  await admit(OLD);
  await inPlatform(app.database, (db) => forgetKey(db, OLD, [NEW], NOW));
  expect(await admit(NEW)).toEqual([]);
  await expect(admit(OLD)).rejects.toThrow('was retired');
});

test('a key that SECRETS_KEY contains, or that the database does not have, cannot be forgotten', async () => {
  await admit(OLD);
  const forget = (fingerprint: string, offered: string[]) =>
    inPlatform(app.database, (db) => forgetKey(db, fingerprint, offered, NOW));
  await expect(forget(OLD, [OLD])).rejects.toThrow('so it is not lost');
  await expect(forget(OTHER, [NEW])).rejects.toThrow(`The database has no key ${OTHER} that is in use.`);
  expect(await list()).toEqual([[OLD, null]]);
});

test('a check of the settings reports a wrong key and changes nothing', async () => {
  expect(await readKeyProblem(app.database, [OLD])).toBeUndefined();
  expect(await list()).toEqual([]);
  await admit(OLD);
  expect(await readKeyProblem(app.database, [NEW])).toContain(`does not contain the key of this database, ${OLD}`);
  expect(await readKeyProblem(app.database, [NEW, OLD])).toBeUndefined();
  expect(await list()).toEqual([[OLD, null]]);
});

test('a check of the settings accepts an empty database', async () => {
  const { database, remove } = await makeEmptyDatabase(inject('template'));
  expect(await readKeyProblem(database, [NEW])).toBeUndefined();
  await remove();
});

test('a restore names every key of the backup that SECRETS_KEY lacks', async () => {
  await admit(NEW, OLD);
  await admit(OTHER, NEW);
  await retire(NEW);
  const check = (...offered: string[]) => readInPlatform(app.database, (db) => checkKeys(db, offered));
  expect((await check(OTHER)).breaches).toEqual([`the key ${OLD}`]);
  expect((await check(OTHER, OLD)).breaches).toEqual([]);
});

test('the fingerprint of a key differs for each key, and is no part of the key', async () => {
  const keys = ['a-key-of-this-test-0123456789abcdef', 'a-key-of-this-test-0123456789abcdeg'];
  const fingerprints = fingerprintsOf({ secretsKeys: keys, dataDir: '' });
  expect(fingerprints).toEqual(fingerprintsOf({ secretsKeys: keys, dataDir: 'elsewhere' }));
  expect(new Set(fingerprints).size).toBe(2);
  for (const fingerprint of fingerprints) {
    expect(fingerprint).toMatch(/^[0-9a-f]{16}$/);
    expect(keys.join(' ')).not.toContain(fingerprint);
  }
});
