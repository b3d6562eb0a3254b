import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { peakMemory, processorTime } from './process-usage.ts';
import { freePort } from './postgres.ts';
import type { Statement } from './statements.ts';

const ROOT = resolve(import.meta.dirname, '..');

/** A server in a process of its own. */
export interface Served {
  url: string;
  /** Milliseconds of processor time that it has used. */
  processorTime(): number;
  /** Megabytes of memory that it has had at most. */
  peakMemory(): number;
  stop(): Promise<void>;
}

async function serve(file: string, port: number, path: string, env: Record<string, string>): Promise<Served> {
  const child = spawn(
    process.execPath,
    [...(process.env.BENCH_NODE_OPTIONS ?? '').split(' ').filter(Boolean), join(ROOT, file)],
    {
      cwd: ROOT,
      env: { PATH: process.env.PATH ?? '', NODE_ENV: 'production', PORT: String(port), ...env },
      stdio: ['pipe', 'ignore', 'inherit'],
    },
  );
  child.once('exit', (code, signal) => {
    if (!child.killed) process.stderr.write(`${file} ended by itself: ${signal ?? code}.\n`);
  });
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; ; tries += 1) {
    const answered = await fetch(url + path).then(
      (response) => response.ok,
      () => false,
    );
    const pid = child.pid ?? 0;
    if (answered)
      return {
        url,
        processorTime: () => processorTime(pid),
        peakMemory: () => peakMemory(pid),
        stop: () => stop(child),
      };
    if (tries > 300 || child.exitCode !== null) throw new Error(`${file} did not start.`);
    await wait(100);
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((done) => child.once('close', done));
  child.kill('SIGTERM');
  await ended;
}

/**
 * The portal as it runs in production, believing the `X-Forwarded-For` of this machine.
 * @param settings more than those of every measure
 */
export async function servePortal(databaseUrl: string, settings: Record<string, string> = {}): Promise<Served> {
  const folder = mkdtempSync(join(tmpdir(), 'portal-bench-'));
  const served = await serve('bench/portal.ts', await freePort(), '/v1/health', {
    DATABASE_URL: databaseUrl,
    DATA_DIR: folder,
    TRUST_PROXY: '127.0.0.1',
    ...settings,
  });
  return {
    ...served,
    async stop() {
      await served.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The limit: a Fastify route and nothing else, which answers `/N` with the rows of the statement numbered N. */
export const serveBare = async (databaseUrl: string, statements: readonly Statement[]): Promise<Served> =>
  serve('bench/bare.ts', await freePort(), '/health', {
    DATABASE_URL: databaseUrl,
    STATEMENTS: JSON.stringify(statements),
  });
