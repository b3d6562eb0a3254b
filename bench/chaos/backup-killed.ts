import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { DatabaseProxy } from './database-proxy.ts';
import { ROOT } from './portal-process.ts';
import { injectFault } from './report.ts';
import { query, type ServerEnvironment } from './server-environment.ts';

const TWO_HOURS_MS = 2 * 3_600_000;
/** Slows the dump down, so that it is still running when its process is killed. */
const DELAY_MS = 50;

/** Runs `npm run backup` and collects what it prints. */
function startBackup(databaseUrl: string, dataFolder: string, file: string) {
  const child: ChildProcess = spawn(process.execPath, [join(ROOT, 'server/src/backup.ts'), 'backup', file], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH ?? '',
      NODE_ENV: 'production',
      STAGE: 'local',
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataFolder,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr?.on('data', (text: Buffer) => (errors += text.toString()));
  const ended = new Promise<{ code: number | null; errors: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, errors })),
  );
  return { child, ended };
}

export const countDumps = async (url: string): Promise<number> =>
  (
    await query(
      url,
      "select from pg_stat_activity where application_name in ('pg_dump', 'portal-backup') and datname = current_database()",
    )
  ).length;

/**
 * A backup is killed half done, and pg_dump survives it: no second dump starts beside it, the partial file is deleted
 * when it is old, and the next backup is complete.
 */
export const killBackup = async ({ backupFolder, databaseUrl, dataFolder, portal, readers }: ServerEnvironment) =>
  injectFault('backup killed (kill -9), portal started again', readers, 1, async () => {
    const killedFile = join(backupFolder, 'portal-2026-01-05T02-15-00Z.backup');
    const nextFile = join(backupFolder, 'portal-2026-01-06T02-15-00Z.backup');
    const slowProxy = new DatabaseProxy(databaseUrl);
    slowProxy.delayMs = DELAY_MS;
    try {
      const killed = startBackup(await slowProxy.open(), dataFolder, killedFile);
      while ((await countDumps(databaseUrl)) === 0) {
        if (killed.child.exitCode !== null) throw new Error(`The backup failed:\n${(await killed.ended).errors}`);
        await wait(20);
      }
      killed.child.kill('SIGKILL');
      if ((await countDumps(databaseUrl)) === 0) throw new Error('pg_dump ended before its parent process was killed.');
      const second = await startBackup(databaseUrl, dataFolder, nextFile).ended;
      if (second.code === 0 || !second.errors.includes('Another backup of this database is running'))
        throw new Error(`A second dump started beside a running one: ${second.code} ${second.errors}`);
    } finally {
      slowProxy.close();
    }
    while ((await countDumps(databaseUrl)) > 0) await wait(20);
    const partial = `${killedFile}.partial`;
    if (!existsSync(partial)) throw new Error('The killed backup left no partial file.');
    const past = new Date(Date.now() - TWO_HOURS_MS);
    utimesSync(partial, past, past);
    await portal.restart();
    await portal.waitUntilReady();
    const next = await startBackup(databaseUrl, dataFolder, nextFile).ended;
    if (next.code !== 0) throw new Error(`The next backup failed:\n${next.errors}`);
    const files = readdirSync(backupFolder).filter((name) => name.startsWith('portal-'));
    if (files.join() !== 'portal-2026-01-06T02-15-00Z.backup')
      throw new Error(`The folder of the backups contains ${files.join(', ')}.`);
  });
