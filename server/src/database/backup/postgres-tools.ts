import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const DEBIAN = '/usr/lib/postgresql';

/** A program of PostgreSQL: the newest that Debian keeps beside its others, or the one in the path. */
function findProgram(name: string): string {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => join(DEBIAN, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
  ];
  const found = folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
  if (!found)
    throw new Error(`${name} is not on this machine. Install PostgreSQL's client programs (postgresql-client).`);
  return found;
}

/** The connection without its password, which other users of the machine would see, and the password apart. */
function hidePassword(url: string): { url: string; env: Record<string, string> } {
  const parsed = new URL(url);
  const password = decodeURIComponent(parsed.password);
  parsed.password = '';
  return { url: parsed.href, env: password ? { PGPASSWORD: password } : {} };
}

/**
 * Runs pg_dump or pg_restore on a database. Throws with its last words when it fails.
 */
export function runPostgresTool(
  name: 'pg_dump' | 'pg_restore',
  databaseUrl: string,
  options: readonly string[],
): Promise<void> {
  const { url, env } = hidePassword(databaseUrl);
  return new Promise((resolve, reject) => {
    const child = spawn(findProgram(name), [`--dbname=${url}`, '--no-password', ...options], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let words = '';
    child.stderr.on('data', (text: Buffer) => (words = (words + text.toString()).slice(-2000)));
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${name} failed:\n${words.trim()}`));
    });
  });
}
