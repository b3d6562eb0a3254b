import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Writable } from 'node:stream';
import { DUMP_NAME } from '../database/advisory-locks.ts';

const DEBIAN = '/usr/lib/postgresql';

/** The path of a PostgreSQL program: the newest of Debian's versions, or the one in PATH. */
function getProgramPath(name: string): string {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => join(DEBIAN, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
  ];
  const found = folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
  if (!found) throw new Error(`${name} is not installed. Install PostgreSQL's client programs (postgresql-client).`);
  return found;
}

/** Moves the password from the URL to the environment, because other users of the machine can see arguments. */
function hidePassword(url: string): { url: string; env: Record<string, string> } {
  const parsed = new URL(url);
  const password = decodeURIComponent(parsed.password);
  parsed.password = '';
  return { url: parsed.href, env: password ? { PGPASSWORD: password } : {} };
}

/** Starts a tool on a database. `ended` rejects, with the end of its error output, if the tool fails. */
function startPostgresTool(
  name: 'pg_dump' | 'pg_restore',
  databaseUrl: string,
  options: readonly string[],
  [input, output]: readonly ['ignore' | 'pipe', 'ignore' | 'pipe'],
  signal?: AbortSignal,
): { child: ChildProcess; ended: Promise<void> } {
  const { url, env } = hidePassword(databaseUrl);
  const child = spawn(getProgramPath(name), [`--dbname=${url}`, '--no-password', ...options], {
    // Behind a pooler the account's connections start in a role without rights.
    env: { ...process.env, ...env, PGOPTIONS: '-c role=none', ...(name === 'pg_dump' && { PGAPPNAME: DUMP_NAME }) },
    stdio: [input, output, 'pipe'],
    ...(signal && { signal }),
  });
  let errors = '';
  child.stderr?.on('data', (text: Buffer) => (errors = (errors + text.toString()).slice(-2000)));
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, endedBy) => {
      if (code === 0) resolve();
      else reject(new Error(`${name} failed:\n${errors.trim() || `It was ended by ${endedBy}.`}`));
    });
  });
  return { child, ended };
}

/** All or nothing, and without the owner and the rights of the machine that made the dump. */
const RESTORE_OPTIONS = ['--no-owner', '--no-privileges', '--single-transaction', '--exit-on-error'];

/** Restores the dump in a file. Throws with the end of the error output of pg_restore if it fails. */
export const restoreDump = (databaseUrl: string, path: string, options = RESTORE_OPTIONS): Promise<void> =>
  startPostgresTool('pg_restore', databaseUrl, [...options, path], ['ignore', 'ignore']).ended;

/**
 * Yields what pg_dump writes to its standard output. Throws at the end if it failed, so that a dump that was cut is not
 * mistaken for a complete one, and ends it when the caller stops earlier or the signal fires.
 */
export async function* streamDump(
  databaseUrl: string,
  options: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const { child, ended } = startPostgresTool('pg_dump', databaseUrl, options, ['ignore', 'pipe'], signal);
  // Reported by the await below, after the last part was read.
  ended.catch(() => undefined);
  try {
    for await (const part of child.stdout as AsyncIterable<Buffer>) yield part;
    await ended;
  } finally {
    child.kill();
    await ended.catch(() => undefined);
  }
}

/** A pg_restore that reads a dump from a stream. */
export interface PostgresReceiver {
  input: Writable;
  /** Resolves once everything is restored. */
  ended: Promise<void>;
  /** Ends it, if it still runs. What it has restored in a transaction is undone. */
  stop(): void;
}

/** Starts pg_restore on a database, for a dump that is written to `input`. */
export function receiveDump(databaseUrl: string, signal?: AbortSignal): PostgresReceiver {
  const { child, ended } = startPostgresTool('pg_restore', databaseUrl, RESTORE_OPTIONS, ['pipe', 'ignore'], signal);
  const input = child.stdin!;
  // It ends before its input does if it fails, which `ended` reports.
  input.on('error', () => undefined);
  return { input, ended, stop: () => void child.kill() };
}
