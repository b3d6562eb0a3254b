import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testApp } from '../testing/app.ts';
import { SEALED_COLUMNS } from './keyed-columns.ts';

/**
 * Columns with digests or signatures that `SECRETS_KEY` keys, and what happens to them when the key changes. A digest
 * cannot be computed again without the text, which is not stored.
 */
const KEYED_COLUMNS: Readonly<Record<string, string>> = {
  'audit_chains.signature': 'signed again',
  'recovery_codes.digest': 'keeps the key in use until the owner makes new codes, or an operator discards them',
  'trusted_networks.network_hash': 'expires 30 days after the last login; can be discarded',
  'programs.network_hash': 'only says whether a program was used from the same network; can be discarded',
  'devices.network_hash': 'computed again at the next login, expires after 365 days; can be discarded',
  'pupils.upn_digest': "computed again with the school's next list; can be discarded",
  'pupils.birth_digest': "computed again with the school's next list; can be discarded",
  'school_records_pupils.upn_digest': "computed again with the school's next file; can be discarded",
  'school_records_pupils.birth_digest': "computed again with the school's next file; can be discarded",
  'erasures.digest': 'compared only after a restore of a backup of that time, which needs its key in any case',
};

/** Columns of bytes that `SECRETS_KEY` has no part in, and what they are instead. */
const UNKEYED_COLUMNS: Readonly<Record<string, string>> = {
  'audit_chains.first_digest': 'a digest of the chain',
  'audit_chains.last_digest': 'a digest of the chain',
  'audit_chains.erased_digest': 'a digest of the chain',
  'audit_seals.salt': 'random',
  'audit_seals.details_digest': 'keyed by the salt of its row',
  'audit_seals.digest': 'a digest of the chain',
  'audit_seals.receipt': 'the digest of an erasure; nothing compares it',
  'devices.token_hash': 'the hash of a random token',
  'digest_links.token_hash': 'the hash of a random token',
  'idempotency_keys.request_hash': 'the hash of a request',
  'idempotency_keys.key_hash': "the hash of the client's key",
  'idempotency_keys.sealed_reply': "sealed with the client's key",
  'invite_links.token_hash': "the hash of a mail's link; compared with what its recipient sends",
  'invite_links.copied_hash': 'the hash of a random token',
  'login_factors.public_key': 'public',
  'login_sheets.token_hash': 'the hash of a random token',
  'login_sheets.sealed': 'sealed with the token of its link',
  'login_steps.token_hash': 'the hash of a random token',
  'one_time_links.token_hash': "the hash of a random token or of a mail's link; compared with what its owner sends",
  'outbox.link_hash': "the hash of the mail's link; compared with what its recipient sends",
  'one_time_links.operator_session_hash': 'the hash of a random token',
  'program_tokens.token_hash': 'the hash of a random token',
  'sessions.token_hash': 'the hash of a random token',
  'sessions.device_hash': 'the hash of a random token',
  'sessions.operator_session_hash': 'the hash of a random token',
};

/**
 * The source files that encrypt, sign or digest with `SECRETS_KEY`, and where the result is stored: in columns above, or
 * elsewhere until it expires.
 */
const KEY_USERS: Readonly<Record<string, readonly string[]>> = {
  'audit/audit-head.queries.ts': ['audit_chains.signature'],
  'auth/network.ts': ['trusted_networks.network_hash', 'devices.network_hash', 'programs.network_hash'],
  'features/records/pupil-import/import-columns.queries.ts': [
    'import_columns.header_key, whose columns are chosen again with the next list',
  ],
  'features/records/pupil-import/match-digests.service.ts': ['pupils.upn_digest', 'pupils.birth_digest'],
  'features/privacy/erasure/erasure-list.service.ts': ['erasures.digest', 'erasures.txt beside the backups'],
  'features/records/school-records/connection.service.ts': ['school_records_connections.secret'],
  'features/records/school-records/file.service.ts': [
    'school_records_pupils.upn_digest',
    'school_records_pupils.birth_digest',
    'school_records_pupils.external_id of files without IDs, computed again with the next file',
    'run_rows.content, for at most 30 days',
  ],
  'features/accounts/second-factor/add-factor.service.ts': ['login_factors.sealed_secret'],
  'features/accounts/second-factor/second-factor.service.ts': ['recovery_codes.digest'],
  'features/accounts/sign-in-providers/sign-in-flow.service.ts': ['cookies and links, for minutes'],
  'mail/link-tokens.ts': ['links in mails, for as long as each is valid'],
  'features/privacy/subject-access/subject-file.service.ts': ['subject_request_parts.sealed'],
};

const app = testApp();
const SERVER = join(import.meta.dirname, '..');

const sealed = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`);

test('every column of bytes is declared as encrypted, keyed or independent of SECRETS_KEY', async () => {
  const { rows } = await sql<{ name: string }>`
    select c.relname || '.' || a.attname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.atttypid = 'bytea'::regtype
      and a.attnum > 0 and not a.attisdropped`.execute(app.database.kysely);
  const declared = [...sealed, ...Object.keys(KEYED_COLUMNS), ...Object.keys(UNKEYED_COLUMNS)];
  expect(declared.sort()).toEqual(rows.map(({ name }) => name).sort());
});

test('every source file that uses SECRETS_KEY states where the result is stored', () => {
  const users = globSync('**/*.ts', { cwd: SERVER })
    .filter((path) => !path.endsWith('.test.ts') && path !== 'auth/secrets-key.ts')
    .filter((path) => /\b(sealSecret|digestSecret|digestKeys)\(/.test(readFileSync(join(SERVER, path), 'utf8')));
  expect(users.sort()).toEqual(Object.keys(KEY_USERS).sort());
});

test('every encrypted or keyed column has the source file that writes it', () => {
  const written = Object.values(KEY_USERS).flat();
  expect([...sealed, ...Object.keys(KEYED_COLUMNS)].filter((column) => !written.includes(column))).toEqual([]);
});
