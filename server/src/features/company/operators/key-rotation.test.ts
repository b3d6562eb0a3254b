import { accessCalls } from '#contract/calls/access.ts';
import { secondFactorCalls } from '#contract/calls/second-factor.ts';
import { subjectRequestCalls } from '#contract/calls/subject-requests.ts';
import { sql } from 'kysely';
import { Secret, TOTP } from 'otpauth';
import { beforeEach, expect, test } from 'vitest';
import { auditSealingJob, beginUnsignedChains } from '../../../audit/audit-chain.jobs.ts';
import { verifyAuditLog } from '../../../audit/audit-chain.queries.ts';
import { resignChain } from '../../../audit/audit-head.queries.ts';
import { fingerprintsOf, sealSecret } from '../../../auth/secrets-key.ts';
import { AUTHENTICATOR_PURPOSE, SEALED_COLUMNS } from '../../../auth/keyed-columns.ts';
import { resealBatch } from '../../../auth/reseal.queries.ts';
import { inPlatform, readInPlatform } from '../../../database/platform.ts';
import type { PlatformDb } from '../../../database/platform-db.ts';
import { admitKeys } from '../../../database/secret-keys.ts';
import { PASSWORD, type Person } from '../../../testing/builder.ts';
import { connectedSchool } from '../../../testing/connected-school.ts';
import { openSubjectRequest } from '../../../testing/subject-requests.ts';
import { rotateKey } from './key-rotation.service.ts';

const connected = await connectedSchool();
const { app, check, save } = connected;
let firstKeys: readonly string[] | undefined;

const [OLD, NEW, NEWER] = ['old', 'new', 'newer'].map((name) => `the-${name}-key-of-this-test-0123456789`) as [
  string,
  string,
  string,
];
const fingerprintOf = (key: string) => fingerprintsOf({ secretsKeys: [key], dataDir: '' })[0] ?? '';

/** The portal runs with these keys from here on. */
const setKeys = (...keys: string[]) => void (app.services.config.secretsKeys = keys);
const start = () => admitKeys(app.database, fingerprintsOf(app.services.config), app.services.clock.now());
const run = <T>(step: (db: PlatformDb) => Promise<T>) => inPlatform(app.database, step);
const rotate = (discards = false) => rotateKey(run, app.services.config, app.services.clock.now(), { discards });
const verify = () =>
  readInPlatform(app.database, (db) => verifyAuditLog(db, app.services.clock.now(), app.services.config));
const sealLogs = () => auditSealingJob(app.services).run({});

let time = 0;
const codeOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: time });
/** Moves to the next code of an authenticator app. */
const moveToNextCode = () => app.setTime(new Date((time += 30_000)).toISOString());

async function addAuthenticator({ token }: Person) {
  const { secret } = (await app.call(secondFactorCalls.beginAuthenticator, { token })).reply;
  const body = { code: codeOf(secret), name: 'Phone' };
  const { reply } = await app.call(secondFactorCalls.confirmAuthenticator, { token, body });
  return { secret, codes: reply.recovery_codes ?? [] };
}

async function logIn({ email }: { email: string }, code: string): Promise<number> {
  const { error } = await app.call(accessCalls.logIn, { body: { email, password: PASSWORD } });
  const token = error.second_factor?.token ?? '';
  return (await app.call(secondFactorCalls.logInWithFactor, { body: { token, code } })).status;
}

beforeEach(async () => {
  time = Date.parse('2026-11-18T12:00:00.000Z');
  for (const table of ['secret_keys', 'recovery_codes', 'login_factors', 'subject_request_parts'])
    await sql`delete from ${sql.table(table)}`.execute(app.database.kysely);
  firstKeys ??= app.services.config.secretsKeys;
  // The heads of the schools' audit logs are signed when the schools are made, and by the test before.
  setKeys(OLD, NEW, NEWER, ...firstKeys);
  const schools = await app.database.kysely.selectFrom('schools').select('id').execute();
  for (const { id } of schools) await run((db) => resignChain(db, app.services.config, id));
  setKeys(OLD);
  await start();
});

test('after a rotation everything that the old key protected works with the new key alone', async () => {
  const { school } = connected;
  const { secret } = await addAuthenticator(school.admin);
  await save();
  const { requestId } = await openSubjectRequest(app, school, { makesFile: true });
  await app.runJobs();
  await sealLogs();
  setKeys(NEW, OLD);
  await start();
  const { lines, hasProblems } = await rotate();
  expect(hasProblems).toBe(false);
  expect(lines.slice(1, 4)).toEqual([
    'Encrypted again: secrets of authenticator apps: 1',
    'Encrypted again: secrets of OneRoster connections: 1',
    'Encrypted again: parts of subject access files: 1',
  ]);
  setKeys(NEW);
  moveToNextCode();
  expect(await logIn(school.admin, codeOf(secret))).toBe(200);
  expect((await check()).status).toBe(200);
  const file = await app.call(subjectRequestCalls.downloadSubjectFile, {
    params: { id: school.id, requestId },
    token: school.admin.token,
  });
  expect([file.status, file.bytes.subarray(0, 2).toString()]).toEqual([200, 'PK']);
  expect((await verify()).breaches).toEqual([]);
});

test('before a rotation the new key alone neither decrypts secrets nor verifies the audit log', async () => {
  const { school } = connected;
  const { secret } = await addAuthenticator(school.admin);
  await sealLogs();
  setKeys(NEW);
  moveToNextCode();
  expect(await logIn(school.admin, codeOf(secret))).toBe(500);
  expect((await verify()).breaches).toContain(
    `school ${school.id}: the signature does not match, or was made with another SECRETS_KEY`,
  );
});

test('recovery codes keep the old key in use until their owner makes new ones, and then it is retired', async () => {
  const { admin } = connected.school;
  const { codes } = await addAuthenticator(admin);
  setKeys(NEW, OLD);
  await start();
  expect((await rotate()).lines.at(-1)).toContain(
    `The key ${fingerprintOf(OLD)} is still needed for recovery codes. Accounts with such codes: 1.`,
  );
  expect(await logIn(admin, codes[0] ?? ''), 'a code of the old key').toBe(200);
  setKeys(OLD, NEW);
  expect(await start(), 'with the old key in front, which is still needed').toEqual([]);
  setKeys(NEW, OLD);
  const renewed = await app.call(secondFactorCalls.renewRecoveryCodes, { token: admin.token });
  expect((await rotate()).lines.at(-1)).toContain(`The key ${fingerprintOf(OLD)} is retired.`);
  setKeys(OLD);
  await expect(start()).rejects.toThrow(`${fingerprintOf(OLD)}, which was retired on 2026-11-18`);
  setKeys(NEW);
  expect(await start()).toEqual([]);
  expect(await logIn(admin, renewed.reply.recovery_codes[0] ?? '')).toBe(200);
});

test('a leaked key can be retired at once: --discard deletes its digests and leaves codes of the new key', async () => {
  const { school } = connected;
  await addAuthenticator(school.admin);
  const { kysely } = app.database;
  const digests = { upn_digest: Buffer.alloc(32, 1), birth_digest: Buffer.alloc(32, 2) };
  await kysely.updateTable('pupils').set(digests).where('school_id', '=', school.id).execute();
  const network = { network_hash: Buffer.alloc(32, 3), last_used_at: new Date(time) };
  await kysely
    .insertInto('trusted_networks')
    .values({ school_id: school.id, ...network })
    .execute();
  await kysely
    .insertInto('devices')
    .values({ user_id: school.admin.id, token_hash: Buffer.alloc(32, 4), ...network })
    .execute();
  setKeys(NEW, OLD);
  await start();
  const kept = await addAuthenticator(school.teacher);
  expect((await rotate(true)).lines.at(-1)).toContain(`The key ${fingerprintOf(OLD)} is retired.`);
  const { rows } = await sql`
    select from pupils where upn_digest is not null or birth_digest is not null
    union all select from trusted_networks
    union all select from devices where network_hash is not null
    union all select from recovery_codes where key_fingerprint <> ${fingerprintOf(NEW)}`.execute(kysely);
  expect(rows).toEqual([]);
  setKeys(NEW);
  expect(await logIn(school.teacher, kept.codes[0] ?? '')).toBe(200);
});

test('a rotation that is interrupted at any step is completed by the next run', async () => {
  const { school } = connected;
  await addAuthenticator(school.admin);
  await save();
  await sealLogs();
  setKeys(NEW, OLD);
  await start();
  let interruptions = 0;
  for (let steps = 0; ; steps += 1) {
    let left = steps;
    const interrupted = rotateKey(
      (step) => {
        left -= 1;
        return left < 0 ? Promise.reject(new Error('The command was killed.')) : run(step);
      },
      app.services.config,
      new Date(time),
      { discards: true },
    );
    const result = await interrupted.catch(() => undefined);
    if (result) break;
    interruptions += 1;
  }
  expect(interruptions).toBeGreaterThan(5);
  setKeys(NEW);
  expect((await check()).status).toBe(200);
  expect((await verify()).breaches).toEqual([]);
  expect((await rotate()).hasProblems).toBe(false);
});

test('two rotations at the same time leave everything with the new key', async () => {
  await addAuthenticator(connected.school.admin);
  await save();
  await sealLogs();
  setKeys(NEW, OLD);
  await start();
  const results = await Promise.all([rotate(true), rotate(true)]);
  expect(results.map(({ hasProblems }) => hasProblems)).toEqual([false, false]);
  setKeys(NEW);
  expect((await check()).status).toBe(200);
  expect((await verify()).breaches).toEqual([]);
});

test('a secret that a process with the old key wrote after a rotation is found by the next run', async () => {
  setKeys(NEW, OLD);
  await start();
  await rotate();
  setKeys(OLD, NEW);
  await save();
  setKeys(NEW, OLD);
  expect((await rotate()).lines).toContain('Encrypted again: secrets of OneRoster connections: 1');
  setKeys(NEW);
  expect((await check()).status).toBe(200);
});

test('a secret that is saved again while a rotation reads it keeps its new content', async () => {
  const { admin } = connected.school;
  await addAuthenticator(admin);
  setKeys(NEW, OLD);
  const saved = sealSecret(app.services.config, AUTHENTICATOR_PURPOSE, Buffer.from('a new secret'));
  await run(async (db) => {
    let saving: Promise<unknown> | undefined;
    const column = {
      ...SEALED_COLUMNS[0]!,
      // Called between the statement that reads the row and the one that writes it.
      purposeOf: () => {
        saving = db.tx
          .updateTable('login_factors')
          .set({ sealed_secret: saved })
          .where('user_id', '=', admin.id)
          .execute();
        return AUTHENTICATOR_PURPOSE;
      },
    };
    await resealBatch(db, app.services.config, column, undefined);
    await saving;
  });
  const rows = await app.database.kysely.selectFrom('login_factors').select('sealed_secret').execute();
  expect(rows).toEqual([{ sealed_secret: saved }]);
});

test('an audit log whose head was forged is not signed again and stays reported', async () => {
  const { school } = connected;
  await sealLogs();
  const { signature } = await app.database.kysely
    .selectFrom('audit_chains')
    .select('signature')
    .where('school_id', '=', school.id)
    .executeTakeFirstOrThrow();
  const setSignature = (bytes: Buffer) =>
    app.database.kysely
      .updateTable('audit_chains')
      .set({ signature: bytes })
      .where('school_id', '=', school.id)
      .execute();
  await setSignature(Buffer.alloc(32, 9));
  setKeys(NEW, OLD);
  await start();
  const { lines, hasProblems } = await rotate();
  expect(hasProblems).toBe(true);
  expect(lines).toContain(
    `✗ Signed with none of these keys, and left as they are: audit logs of schools: 1 (IDs ${school.id}). See npm run verify-audit.`,
  );
  setKeys(NEW);
  expect((await verify()).breaches).toEqual([
    `school ${school.id}: the signature does not match, or was made with another SECRETS_KEY`,
  ]);
  await setSignature(signature);
  setKeys(NEW, OLD);
  expect((await rotate()).hasProblems).toBe(false);
});

test('after a key is lost, the audit logs that it signed begin again, and those of other keys go on', async () => {
  const other = await app.build.school();
  await sealLogs();
  setKeys(NEW, OLD);
  const isOther = ({ school_id: id }: { school_id: number }) => id === other.id;
  const { rows } = await sql<{ school_id: number }>`select school_id from audit_chains`.execute(app.database.kysely);
  for (const { school_id: id } of rows.filter((row) => !isOther(row)))
    await run((db) => resignChain(db, app.services.config, id));
  const findBeginning = () =>
    app.database.kysely.selectFrom('audit_chains').select(['school_id', 'begun_at']).orderBy('school_id').execute();
  const before = await findBeginning();
  setKeys(NEW);
  expect((await verify()).breaches).toHaveLength(1);
  app.setTime(new Date(time + 3_600_000).toISOString());
  expect(await beginUnsignedChains(app.services)).toBe(1);
  expect((await verify()).breaches).toEqual([]);
  const after = await findBeginning();
  expect(after.filter((row) => !isOther(row))).toEqual(before.filter((row) => !isOther(row)));
  expect(await beginUnsignedChains(app.services)).toBe(0);
});

test('a secret that none of the keys decrypts is reported and left as it is', async () => {
  const { admin } = connected.school;
  const sealed = sealSecret({ secretsKeys: [NEWER], dataDir: '' }, AUTHENTICATOR_PURPOSE, Buffer.from('secret'));
  await addAuthenticator(admin);
  await app.database.kysely
    .updateTable('login_factors')
    .set({ sealed_secret: sealed })
    .where('user_id', '=', admin.id)
    .execute();
  setKeys(NEW, OLD);
  await start();
  const { lines, hasProblems } = await rotate();
  expect(hasProblems).toBe(true);
  expect(lines).toContain('✗ Encrypted with none of these keys: secrets of authenticator apps: 1');
  const rows = await app.database.kysely.selectFrom('login_factors').select('sealed_secret').execute();
  expect(rows).toEqual([{ sealed_secret: sealed }]);
});

test('a rotation to a third key retires both earlier ones, and more rows than one batch are encrypted again', async () => {
  const { admin } = connected.school;
  const insert = (count: number) =>
    app.database.kysely
      .insertInto('login_factors')
      .values(
        Array.from({ length: count }, (_, n) => ({
          user_id: admin.id,
          kind: 'authenticator',
          name: `Phone ${n}`,
          created_at: new Date(time),
          confirmed_at: new Date(time),
          sealed_secret: sealSecret(app.services.config, AUTHENTICATOR_PURPOSE, Buffer.from(`secret ${n}`)),
        })),
      )
      .execute();
  await insert(501);
  setKeys(NEW, OLD);
  await start();
  await insert(3);
  setKeys(NEWER, NEW, OLD);
  await start();
  const { lines } = await rotate();
  expect(lines[1]).toBe('Encrypted again: secrets of authenticator apps: 504');
  for (const key of [NEW, OLD])
    expect(lines.join('\n')).toContain(`The key ${fingerprintOf(key)} is retired. Remove it from SECRETS_KEY`);
  setKeys(NEWER);
  expect((await rotate()).lines[1]).toBe('Encrypted again: secrets of authenticator apps: 0');
});

test('a rotation without a key that the database still has reports it', async () => {
  setKeys(NEW, OLD);
  await start();
  setKeys(NEW);
  const { lines, hasProblems } = await rotate();
  expect(hasProblems).toBe(true);
  expect(lines).toContain(`✗ The database also has the key ${fingerprintOf(OLD)}, which SECRETS_KEY lacks.`);
});
