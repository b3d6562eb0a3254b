import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { lock } from 'proper-lockfile';
import type { WriteLog } from '../audit/audit-chain.jobs.ts';
import type { Services } from '../context.ts';
import type { Job } from '../jobs/queue.ts';
import { isFromFuture, listBackups, MIN_BACKUPS, type StoredBackup } from './backup-folder.ts';
import { readIfPresent, replaceFile } from './backup.ts';

/** The job that hands backups to the operator's program. */
export const OFF_SITE_JOB = 'backup-off-site';

/** The names of the backups that the program has taken, one a line, in the folder of the backups. */
const RECORD = 'off-site.txt';

const MAX_HOOK_MS = 3_600_000;
/** All files of a run, and some more. */
const MAX_JOB_S = 8 * 3600;
const MAX_OUTPUT_LENGTH = 2000;
/** The program gets none of the portal's settings but the folder, because they contain passwords. */
const PASSED_VARIABLES = ['PATH', 'HOME', 'LANG', 'TZ'];
const LOCK_STALE_MS = 10_000;

/** How a run of the program ended; the end of its output. */
interface HookResult {
  hasSucceeded: boolean;
  outcome: string;
  output: string;
}

/** Runs the program on one file, without a shell. After the time limit it is killed with the programs it started. */
function runHook(
  program: string,
  file: string,
  folder: string,
  { timeoutMs = MAX_HOOK_MS, signal }: { timeoutMs?: number; signal?: AbortSignal | undefined } = {},
): Promise<HookResult> {
  const passed = PASSED_VARIABLES.flatMap((name) => (process.env[name] ? [[name, process.env[name]] as const] : []));
  return new Promise((resolve) => {
    const child = spawn(program, [file], {
      cwd: folder,
      env: { ...Object.fromEntries(passed), BACKUP_DIR: folder },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let output = '';
    const collect = (text: Buffer) => (output = (output + text.toString()).slice(-MAX_OUTPUT_LENGTH));
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    let stoppedBy: string | undefined;
    const stop = (reason: string) => {
      stoppedBy ??= reason;
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has ended already.
      }
    };
    const timer = setTimeout(() => stop('it took too long'), timeoutMs);
    const onAbort = () => stop('the process is stopping');
    if (signal?.aborted) onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });
    const end = (hasSucceeded: boolean, outcome: string) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      // A program that it left in the background may have the output open.
      child.stdout.destroy();
      child.stderr.destroy();
      resolve({ hasSucceeded, outcome: stoppedBy ?? outcome, output: output.trim() });
    };
    child.once('error', (error: NodeJS.ErrnoException) => end(false, `it cannot be started (${error.code})`));
    child.once('exit', (code, endedBy) =>
      // What it wrote last may still be in the pipe.
      setImmediate(() =>
        end(code === 0 && stoppedBy === undefined, endedBy ? `ended by ${endedBy}` : `exit code ${code}`),
      ),
    );
  });
}

const readTakenNames = async (folder: string): Promise<string[]> =>
  ((await readIfPresent(join(folder, RECORD))) ?? '').split('\n').filter(Boolean);

/**
 * Offers the newest backups that were not taken yet to the program, the newest first and any with a time in the future
 * last. Throws at the end if one of them was not taken, so that the job is tried again.
 */
export async function takeOffSite(
  folder: string,
  program: string,
  now: Date,
  log: WriteLog,
  options: { timeoutMs?: number; signal?: AbortSignal | undefined } = {},
): Promise<void> {
  const release = await lock(folder, { lockfilePath: join(folder, `${RECORD}.lock`), stale: LOCK_STALE_MS }).catch(
    (error: { code?: string }) => {
      throw error.code === 'ELOCKED' ? new Error('BACKUP_HOOK is running in another process.') : error;
    },
  );
  try {
    const { backups } = await listBackups(folder);
    const rank = (backup: StoredBackup) => (isFromFuture(backup, now.getTime()) ? 0 : backup.madeAt);
    const present = new Set(backups.map(({ name }) => name));
    const taken = new Set((await readTakenNames(folder)).filter((name) => present.has(name)));
    const waiting = backups
      .filter(({ name, isComplete }) => isComplete && !taken.has(name))
      .sort((a, b) => rank(b) - rank(a))
      .slice(0, MIN_BACKUPS);
    const failed: string[] = [];
    for (const { name } of waiting) {
      if (options.signal?.aborted) throw options.signal.reason;
      const { hasSucceeded, outcome, output } = await runHook(program, join(folder, name), folder, options);
      log({ file: name, outcome, output }, hasSucceeded ? 'backup taken off-site' : 'backup not taken off-site');
      if (hasSucceeded) await replaceFile(join(folder, RECORD), [...taken.add(name), ''].join('\n'));
      else failed.push(`${name}: ${outcome}`);
    }
    if (failed.length > 0) throw new Error(`BACKUP_HOOK failed for ${failed.join('; ')}`);
  } finally {
    await release().catch(() => undefined);
  }
}

/**
 * Runs after each backup, and in the morning for what failed at night. Without `BACKUP_HOOK` it has nothing to do. Its
 * last success is when every backup was off-site.
 */
export const offSiteJob = ({ config, clock }: Services, folder: string, log: WriteLog): Job => ({
  name: OFF_SITE_JOB,
  schedule: '15 6 * * *',
  canRunLate: true,
  retries: 4,
  retryDelaySeconds: 300,
  maxSeconds: MAX_JOB_S,
  run: async (_data, signal) => {
    if (config.backupHook !== undefined) await takeOffSite(folder, config.backupHook, clock.now(), log, { signal });
  },
});
