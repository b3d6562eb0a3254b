import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { SMTPServer } from 'smtp-server';
import { LONGEST_RECOVERY_MS, PATIENCE_MS, Portal, Readers, session } from './chaos-portal.ts';
import { freePort, startPostgres } from './postgres.ts';
import { DatabaseProxy } from './proxy.ts';

/*
 * npm run chaos: faults of the process, the network, the database and the disk under a stream of reading sessions.
 * Prints what each cost, and fails when something acknowledged is lost or doubled, or a recovery takes a minute.
 * Everything stays on this machine; it takes some four minutes.
 */

interface Outcome {
  fault: string;
  acknowledged: number;
  refused: number;
  /** Acknowledged and not there; told of all faults together. */
  lost: number | undefined;
  /** Milliseconds from the end of the fault to the next acknowledged write, each time. */
  recoveries: number[];
}
const outcomes: Outcome[] = [];
const folder = mkdtempSync(join(tmpdir(), 'portal-chaos-'));
// PostgreSQL runs as another user than root.
chmodSync(folder, 0o755);

const say = (line: string) => void process.stderr.write(`${line}\n`);

/** Runs a fault some times under load; `inject` returns when the fault is over. */
async function suffer(fault: string, readers: Readers, times: number, inject: () => Promise<void>): Promise<void> {
  say(`${fault} …`);
  const [acknowledged, refused] = [readers.acknowledged.size, readers.refused];
  const recoveries: number[] = [];
  for (let n = 0; n < times; n += 1) {
    await wait(500);
    await inject();
    recoveries.push(await readers.recovery());
  }
  outcomes.push({
    fault,
    acknowledged: readers.acknowledged.size - acknowledged,
    refused: readers.refused - refused,
    lost: undefined,
    recoveries,
  });
}

const note = (fault: string, recovery: number, readers?: Readers, kept = 0) =>
  void outcomes.push({
    fault,
    acknowledged: readers?.acknowledged.size ?? 0,
    refused: readers?.refused ?? 0,
    lost: readers && readers.acknowledged.size - kept,
    recoveries: [recovery],
  });

/** A statement on a connection of its own. */
async function ask<Row extends object>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<pg.QueryResult<Row>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await client.query<Row>(text, values);
  } finally {
    await client.end();
  }
}

/** A mail server on this machine. `onFirst` happens while the first mail is on its way, before it is accepted. */
async function openMailServer() {
  let [first, last] = [0, 0];
  const state = { accepted: 0, onFirst: async () => undefined as void };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, done) {
      stream.resume();
      stream.once('end', () => {
        if (first === 0) {
          first = performance.now();
          void state.onFirst();
          return;
        }
        state.accepted += 1;
        last = performance.now();
        done();
      });
    },
  });
  server.on('error', () => undefined);
  const port = await freePort();
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening));
  return {
    state,
    url: `smtp://127.0.0.1:${port}`,
    /** Waits for the mail that was interrupted: milliseconds until it came again. */
    async again(): Promise<number> {
      const begin = performance.now();
      while (state.accepted === 0 && performance.now() - begin < PATIENCE_MS) await wait(100);
      return state.accepted === 1 ? last - first : Infinity;
    },
    close: () =>
      new Promise<void>((closed) => {
        server.close(closed);
      }),
  };
}

async function againstServer(): Promise<void> {
  const postgresPort = await freePort();
  let postgres = await startPostgres(join(folder, 'postgres'), postgresPort);
  await ask(postgres.url(), 'create database three');
  await ask(postgres.url(), 'create database portal');
  const mail = await openMailServer();
  const proxy = new DatabaseProxy(postgres.url('postgres', 'portal'));
  const portal = new Portal(await freePort(), {
    DATABASE_URL: await proxy.open(),
    DATA_DIR: folder,
    SMTP_URL: mail.url,
  });
  try {
    await startThree(postgres.url('postgres', 'three'));
    await portal.start().ready();
    const readers = new Readers(portal);
    await readers.begin();
    const kill = async () => {
      await portal.end('SIGKILL');
      portal.start();
    };
    await suffer('portal killed (kill -9) and started again', readers, 3, kill);
    await suffer('connections to the database cut', readers, 3, async () => proxy.cut());
    await suffer('database silent for 12 s (half-open connections)', readers, 1, async () => {
      proxy.isSilent = true;
      await wait(12_000);
      proxy.isSilent = false;
    });
    await suffer('database late by 200 ms a message for 5 s', readers, 1, async () => {
      proxy.delay = 200;
      await wait(5000);
      proxy.delay = 0;
    });
    await suffer('database stopped for 5 s', readers, 1, async () => {
      await postgres.stop();
      await wait(5000);
      postgres = await startPostgres(join(folder, 'postgres'), postgresPort);
    });
    say('A mail on its way at a kill …');
    mail.state.onFirst = kill;
    await portal.status('/v1/users/resetpassword', { email: 'head@willowbank.example' });
    note('mail on its way at a kill, until it comes again', await mail.again());
    await readers.end();
    const { rows } = await ask<{ id: string }>(
      postgres.url('postgres', 'portal'),
      'select id from reading_sessions where id = any ($1)',
      [[...readers.acknowledged]],
    );
    note('all of these, held against the database', 0, readers, rows.length);
    await stopUnderClients(portal);
  } finally {
    await portal.end('SIGKILL');
    proxy.close();
    await mail.close();
    await postgres.stop();
  }
}

async function startThree(url: string): Promise<void> {
  say('Three processes on an empty database …');
  const begin = performance.now();
  const three = await Promise.all(
    [1, 2, 3].map(async () => new Portal(await freePort(), { DATABASE_URL: url, DATA_DIR: folder })),
  );
  try {
    await Promise.all(three.map((portal) => portal.start().ready()));
    note('three processes started at once on an empty database', performance.now() - begin);
  } finally {
    await Promise.all(three.map((portal) => portal.end('SIGKILL')));
  }
}

/** SIGTERM while clients send without end. */
async function stopUnderClients(portal: Portal): Promise<void> {
  say('SIGTERM under clients that never finish …');
  const { port } = new URL(portal.url);
  const sockets = Array.from({ length: 20 }, () => {
    const socket = connect(Number(port), '127.0.0.1', () =>
      socket.write('POST /v1/auth HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{'),
    );
    return socket.on('error', () => undefined);
  });
  await wait(300);
  const begin = performance.now();
  await portal.end('SIGTERM');
  note('from SIGTERM to the end, under clients that never finish', performance.now() - begin);
  for (const socket of sockets) socket.destroy();
}

/** The embedded portal: killed and started again at once, and, where this is root, on a disk that is full. */
async function embedded(): Promise<void> {
  const isRoot = process.getuid?.() === 0;
  const disk = join(folder, 'disk');
  mkdirSync(disk);
  const isSmall = isRoot && spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=400m', 'tmpfs', disk]).status === 0;
  const portal = new Portal(await freePort(), { DATA_DIR: join(disk, 'data') });
  try {
    say('The embedded portal loads its schools …');
    await portal.start().ready();
    const readers = new Readers(portal);
    await readers.begin();
    await suffer('embedded portal killed and started again at once', readers, 2, async () => {
      await portal.end('SIGKILL');
      portal.start();
    });
    if (isSmall) {
      const filler = join(disk, 'filler');
      const token = readers.tokens[0];
      await suffer('disk full for 5 s; books still listed', readers, 1, async () => {
        const { bavail, bsize } = statfsSync(disk);
        spawnSync('dd', [
          'if=/dev/zero',
          `of=${filler}`,
          'bs=64k',
          `count=${Math.ceil((bavail * bsize) / 65_536) + 1}`,
        ]);
        await wait(5000);
        if ((await portal.status('/v1/reader/books', undefined, token)) !== 200) throw new Error('Nothing was read.');
        rmSync(filler);
      });
    } else say('No disk is filled: that takes root and mount.');
    await readers.end();
    let kept = 0;
    for (const token of readers.tokens) {
      // Sent again, those that are there are duplicates.
      const ids = [...readers.acknowledged].filter((id) => readers.owner.get(id) === token);
      for (let n = 0; n < ids.length; n += 200) {
        const { reply } = await portal.ask(
          '/v1/reader/sessions',
          { sessions: ids.slice(n, n + 200).map(session) },
          token,
        );
        kept += Number(reply.duplicates);
      }
    }
    note('all of these, handed in again', 0, readers, kept);
  } finally {
    await portal.end('SIGKILL');
    if (isSmall) spawnSync('umount', [disk]);
  }
}

function showTable(): boolean {
  const ms = (times: readonly number[]) =>
    times.every((time) => time === 0) ? '' : `${Math.round(Math.max(...times))} ms`;
  const rows = outcomes.map(({ fault, acknowledged, refused, lost, recoveries }) => [
    fault,
    String(acknowledged || ''),
    String(refused || ''),
    lost === undefined ? '' : String(lost),
    ms(recoveries),
  ]);
  const table = [['fault', 'acknowledged', 'refused', 'lost', 'longest recovery'], ...rows];
  for (const row of table)
    console.log(
      `| ${row.map((cell, n) => cell.padEnd(Math.max(...table.map((other) => other[n]?.length ?? 0)))).join(' | ')} |`,
    );
  return outcomes.every(
    ({ lost = 0, recoveries }) => lost === 0 && recoveries.every((time) => time < LONGEST_RECOVERY_MS),
  );
}

const parts: Record<string, () => Promise<void>> = { server: againstServer, embedded };
const { only } = parseArgs({ options: { only: { type: 'string' } } }).values;
try {
  for (const [name, part] of Object.entries(parts)) if (!only || only === name) await part();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = showTable() ? 0 : 1;
