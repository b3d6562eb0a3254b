import { PGlite } from '@electric-sql/pglite';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

/** The portal as a newcomer starts it: the embedded database and the demonstration schools in a folder of its own. */
export interface Portal {
  url: string;
  folder: string;
  /** Runs `npm run operator -- …` while the portal rests, as the embedded database asks for, and answers what it says. */
  operator(...words: string[]): Promise<string>;
  /** Changes the database while the portal rests: what only time would bring about. */
  edit(sql: string): Promise<void>;
  stop(): Promise<void>;
}

/** Names the folder that global-setup.ts has prepared; each portal starts on a copy of it. */
const PREPARED = 'PORTAL_PREPARED_DATA';

const freePort = (): Promise<number> =>
  new Promise((done) => {
    const probe = createServer();
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => done(typeof address === 'object' && address ? address.port : 0));
    });
  });

/** Loads the demonstration schools once for all portals of a run. */
export async function prepareData(): Promise<() => void> {
  const portal = await startPortal();
  const prepared = mkdtempSync(join(tmpdir(), 'portal-prepared-'));
  await portal.rest();
  cpSync(portal.folder, prepared, { recursive: true });
  await portal.stop();
  process.env[PREPARED] = prepared;
  return () => rmSync(prepared, { recursive: true, force: true });
}

/** @param more settings besides those of every journey */
export async function startPortal(more: Record<string, string> = {}): Promise<Portal & { rest: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'portal-journeys-'));
  const prepared = process.env[PREPARED];
  if (prepared) cpSync(prepared, folder, { recursive: true });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const settings = {
    cwd: resolve(import.meta.dirname, '..'),
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: folder,
      PUBLIC_URL: url,
      DATABASE_URL: '',
      SMTP_URL: '',
      STAGE: 'local',
      HASH_COST: 'least',
      LOG_LEVEL: 'error',
      // Everything of a journey shares the processors: what is late here is no fault.
      MAX_EVENT_LOOP_DELAY: '0',
      ...more,
    },
  };
  const start = async () => {
    const started = spawn(process.execPath, ['server/src/main.ts'], { ...settings, stdio: ['ignore', 'pipe', 'pipe'] });
    await listening(started);
    return started;
  };
  let server = await start();
  const rest = async () => {
    if (server.exitCode !== null) return;
    const ended = new Promise((done) => server.once('exit', done));
    server.kill('SIGTERM');
    await ended;
  };
  return {
    url,
    folder,
    rest,
    operator: async (...words) => {
      await rest();
      try {
        const { stdout } = await promisify(execFile)(process.execPath, ['server/src/operator.ts', ...words], settings);
        return stdout.trim();
      } finally {
        server = await start();
      }
    },
    edit: async (sql) => {
      await rest();
      const database = await PGlite.create({ dataDir: join(folder, 'postgres') });
      await database.exec(sql);
      await database.close();
      server = await start();
    },
    stop: async () => {
      await rest();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function listening(server: ChildProcess): Promise<void> {
  let output = '';
  return new Promise((done, fail) => {
    const read = (text: Buffer) => {
      output += text.toString();
      if (output.includes('API reference')) done();
    };
    server.stdout?.on('data', read);
    server.stderr?.on('data', read);
    // Its last words may come after its exit.
    server.once('close', (code, signal) =>
      fail(new Error(`The portal ended before it was there (${signal ?? code}):\n${output}`)),
    );
  });
}
