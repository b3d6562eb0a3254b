import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../harness/postgres.ts';
import { PortalProcess } from './portal-process.ts';
import { addDuration, injectFault, printLine, TIMEOUT_MS } from './report.ts';
import { query, type ServerEnvironment } from './server-environment.ts';

/** Faults of the process and of its connection to PostgreSQL. */
export async function injectServerFaults(environment: ServerEnvironment): Promise<void> {
  const { portal, proxy, readers } = environment;
  await startThree(environment);
  await injectFault('portal killed (kill -9) and started again', readers, 3, () => portal.restart());
  await injectFault('connections to the database cut', readers, 3, async () => proxy.cut());
  await injectFault('database silent for 12 s (half-open connections)', readers, 1, async () => {
    proxy.isSilent = true;
    await wait(12_000);
    proxy.isSilent = false;
  });
  await injectFault('database late by 200 ms a message for 5 s', readers, 1, async () => {
    proxy.delayMs = 200;
    await wait(5000);
    proxy.delayMs = 0;
  });
  await injectFault('database stopped for 5 s', readers, 1, async () => {
    await environment.stopPostgres();
    await wait(5000);
    await environment.startPostgres();
  });
  await killDuringDelivery(environment);
}

async function startThree({ folder, serverUrl }: ServerEnvironment): Promise<void> {
  printLine('Three processes on an empty database …');
  await query(serverUrl(), 'create database three');
  const env = { DATABASE_URL: serverUrl('three'), DATA_DIR: join(folder, 'three') };
  const start = performance.now();
  const three = await Promise.all([1, 2, 3].map(async () => new PortalProcess(await freePort(), env)));
  try {
    await Promise.all(three.map((portal) => portal.start().waitUntilReady()));
    addDuration('three processes started at once on an empty database', performance.now() - start);
  } finally {
    await Promise.all(three.map((portal) => portal.end('SIGKILL')));
  }
}

/** The portal is killed while it delivers a mail, which must arrive later, once. */
async function killDuringDelivery({ portal, mailServer }: ServerEnvironment): Promise<void> {
  printLine('Portal killed while it delivers a mail …');
  const recipient = 'head@willowbank.example';
  let start: number | undefined;
  mailServer.beforeAccepting = async () => {
    if (start !== undefined) return;
    start = performance.now();
    await portal.restart();
    await new Promise(() => undefined);
  };
  const count = () => mailServer.recipients.filter((one) => one === recipient).length;
  const before = count();
  await portal.getStatus('/v1/users/resetpassword', { email: recipient });
  const end = performance.now() + TIMEOUT_MS;
  while (count() === before && performance.now() < end) await wait(100);
  const duration = count() === before + 1 ? performance.now() - (start ?? 0) : Infinity;
  addDuration('mail in flight at a kill, until it arrives', duration);
}

/** SIGTERM while clients send requests that never end. */
export async function stopUnderClients({ portal }: ServerEnvironment): Promise<void> {
  printLine('SIGTERM under clients that never finish …');
  const { port } = new URL(portal.url);
  const sockets = Array.from({ length: 20 }, () => {
    const socket = connect(Number(port), '127.0.0.1', () =>
      socket.write('POST /v1/auth HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{'),
    );
    return socket.on('error', () => undefined);
  });
  await wait(300);
  const start = performance.now();
  await portal.end('SIGTERM');
  addDuration('from SIGTERM to the end, under clients that never finish', performance.now() - start);
  for (const socket of sockets) socket.destroy();
}
