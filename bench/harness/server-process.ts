import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { peakMemory, processorTime } from './process-usage.ts';
import { freePort } from './postgres.ts';
import type { Statement } from './statements.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** A server in its own process. */
export interface ServerProcess {
  url: string;
  pid: number;
  /** Processor time used, in milliseconds. */
  processorTime(): number;
  /** Peak memory in megabytes. */
  peakMemory(): number;
  stop(): Promise<void>;
}

/** Starts a server of a work tree and waits until `path` answers. */
export async function serve(
  file: string,
  port: number,
  path: string,
  env: Record<string, string>,
  root = ROOT,
): Promise<ServerProcess> {
  const child = spawn(
    process.execPath,
    [...(process.env.BENCH_NODE_OPTIONS ?? '').split(' ').filter(Boolean), join(root, file)],
    {
      cwd: root,
      env: {
        PATH: process.env.PATH ?? '',
        NODE_ENV: 'production',
        PORT: String(port),
        PUBLIC_URL: `http://127.0.0.1:${port}`,
        DRAIN_SECONDS: '0',
        SECRETS_KEY: 'a-key-of-this-bench-alone-0123456789',
        ...env,
      },
      stdio: ['pipe', 'ignore', 'inherit'],
    },
  );
  child.once('exit', (code, signal) => {
    if (!child.killed) process.stderr.write(`${file} ended unexpectedly: ${signal ?? code}.\n`);
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
        pid,
        processorTime: () => processorTime(pid),
        peakMemory: () => peakMemory(pid),
        stop: () => stop(child),
      };
    if (tries > 1200 || child.exitCode !== null) throw new Error(`${file} did not start.`);
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
 * The portal as in production, which trusts `X-Forwarded-For` from this machine.
 * @param settings additional environment variables
 */
export async function servePortal(databaseUrl: string, settings: Record<string, string> = {}): Promise<ServerProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'portal-bench-'));
  const served = await serve('bench/harness/portal.ts', await freePort(), '/v1/health', {
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

/** The baseline: a Fastify route that answers `/N` with the rows of statement N, and does nothing else. */
export const serveBare = async (databaseUrl: string, statements: readonly Statement[]): Promise<ServerProcess> =>
  serve('bench/harness/bare-route.ts', await freePort(), '/health', {
    DATABASE_URL: databaseUrl,
    STATEMENTS: JSON.stringify(statements),
  });
