import { connect, createServer, type Server, type Socket } from 'node:net';
import { accessCalls } from '#contract/calls/access.ts';
import { pupilCalls } from '#contract/calls/pupils.ts';
import { errorReply } from '#contract/error-reply.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createApp } from '../app.ts';
import { readConfig } from '../config.ts';
import { connectServer, type Database } from '../database/database.ts';
import { openEmbedded } from '../database/embedded.ts';
import { inSchool } from '../database/school.ts';
import { type TestApp, testApp } from '../testing/app.ts';
import { testSettings } from '../testing/test-settings.ts';

/** What an app answers to the two requests that clients use to check it. */
async function answers(fastify: TestApp['fastify'], token: string) {
  const responses = [
    await fastify.inject('/v1/health'),
    await fastify.inject({ url: '/v1/users/me', headers: { authorization: `Bearer ${token}` } }),
  ];
  return responses.map(({ statusCode, headers, payload }) => ({
    statusCode,
    wait: headers['retry-after'],
    body: JSON.parse(payload) as unknown,
  }));
}

const AWAY = { statusCode: 503, wait: '5', body: { error: 'An error occurred', error_type: 'server' } };

async function appOn(database: Database) {
  return createApp({
    config: readConfig(testSettings),
    database,
    clock: { now: () => new Date('2026-11-18T12:00:00Z') },
  });
}

test('a server where nothing listens is answered with 503', async () => {
  const probe = createServer().listen(0, '127.0.0.1');
  await new Promise((done) => probe.once('listening', done));
  const { port } = probe.address() as { port: number };
  await new Promise((done) => probe.close(done));
  const database = connectServer(`postgres://portal@127.0.0.1:${port}/postgres`, { connections: 2 });
  const fastify = await appOn(database);
  const found = await answers(fastify, 'any-token');
  expect(found).toEqual([AWAY, AWAY]);
  for (const { body } of found) errorReply.parse(body);
  // A process without a database takes no requests, but restarting it would not help.
  expect((await fastify.inject('/v1/live')).statusCode).toBe(200);
  await fastify.close();
  await database.close();
});

describe('the embedded database', () => {
  const app = testApp();
  test('an embedded database that is closed is answered with 503', async () => {
    const { admin } = await app.build.school();
    expect((await answers(app.fastify, admin.token)).map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    if (app.database.engine.kind !== 'embedded') return;
    const dump = await app.database.engine.pglite.dumpDataDir('none');
    const copy = await openEmbedded(undefined, dump);
    const fastify = await appOn(copy);
    await copy.close();
    expect(await answers(fastify, admin.token)).toEqual([AWAY, AWAY]);
    await fastify.close();
  });
});

describe('a full disk', () => {
  const app = testApp();
  test('a full disk is answered with 503 to what writes, and 200 to what reads', async () => {
    const school = await app.build.school();
    // The error that PostgreSQL raises for every write.
    await sql
      .raw(`create function reject_write() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$`)
      .execute(app.database.kysely);
    for (const table of ['pupils', 'sessions', 'audit_log'])
      await sql
        .raw(`create trigger full_disk before insert or update or delete on ${table} execute function reject_write()`)
        .execute(app.database.kysely);
    // Long enough ago that the use of the session would be recorded.
    app.setTime('2026-11-19T12:00:00.000Z');
    const { token } = school.admin;
    const params = { id: school.id };
    expect((await app.call(pupilCalls.listPupils, { params, token })).status).toBe(200);
    const { status, error, headers } = await app.call(pupilCalls.renamePupil, {
      params: { ...params, readerId: school.unplaced.id },
      body: { name: 'New Name' },
      token,
    });
    expect({ status, wait: headers['retry-after'], type: error.error_type }).toEqual({
      status: 503,
      wait: '5',
      type: 'server',
    });
  });
});

/** A proxy to the database server that can be closed and opened again. */
class RouteGuard {
  readonly #sockets = new Set<Socket>();
  /** While true, the proxy silently drops everything. */
  isSwallowing = false;
  #server: Server | undefined;
  port = 0;
  readonly #target: { host: string; port: number };
  constructor(target: { host: string; port: number }) {
    this.#target = target;
  }
  async open(): Promise<void> {
    const server = createServer((client) => {
      const upstream = connect(this.#target);
      for (const socket of [client, upstream]) {
        this.#sockets.add(socket);
        socket.on('error', () => undefined).on('close', () => this.#sockets.delete(socket));
      }
      client.on('data', (bytes) => this.isSwallowing || upstream.write(bytes)).on('end', () => upstream.end());
      upstream.on('data', (bytes) => this.isSwallowing || client.write(bytes)).on('end', () => client.end());
    });
    this.#server = server;
    await new Promise<void>((done) => server.listen(this.port, '127.0.0.1', done));
    this.port = (server.address() as { port: number }).port;
  }
  async shut(): Promise<void> {
    const closed = new Promise((done) => this.#server?.close(done));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}

if (inject('template').kind === 'server')
  describe('a database server', () => {
    const app = testApp();
    let gate: RouteGuard;
    let database: Database;
    let fastify: TestApp['fastify'];
    const connection = () =>
      app.database.engine.kind === 'server' ? String(app.database.engine.pool.options.connectionString) : '';
    beforeAll(async () => {
      if (app.database.engine.kind !== 'server') throw new Error('This needs a server.');
      const url = new URL(String(app.database.engine.pool.options.connectionString));
      gate = new RouteGuard({ host: url.hostname, port: Number(url.port) });
      await gate.open();
      url.port = String(gate.port);
      url.hostname = '127.0.0.1';
      database = connectServer(url.href, { connections: 3 });
      fastify = await appOn(database);
    });
    afterAll(async () => {
      await fastify.close();
      await database.close();
      await gate.shut();
    });

    test('a database that stops is answered with 503, and with 200 as soon as it is back, without a restart', async () => {
      const { admin } = await app.build.school();
      const statuses = async () => (await answers(fastify, admin.token)).map(({ statusCode }) => statusCode);
      for (let round = 0; round < 2; round += 1) {
        expect(await statuses()).toEqual([200, 200]);
        await gate.shut();
        expect(await answers(fastify, admin.token)).toEqual([AWAY, AWAY]);
        await gate.open();
        expect(await statuses()).toEqual([200, 200]);
      }
    });

    test('a database that falls silent is disconnected, and used again by everyone as soon as it answers', async () => {
      const { admin } = await app.build.school();
      // The statement timeout, and enough time on a busy machine.
      const impatient = connectServer(`postgres://postgres@127.0.0.1:${gate.port}${new URL(connection()).pathname}`, {
        connections: 3,
        connectTimeoutMs: 3000,
        statementTimeoutMs: 3000,
      });
      const server = await appOn(impatient);
      expect((await answers(server, admin.token)).map(({ statusCode }) => statusCode)).toEqual([200, 200]);
      gate.isSwallowing = true;
      const silent = await Promise.all(Array.from({ length: 6 }, () => answers(server, admin.token)));
      expect(silent.flat().map(({ statusCode }) => statusCode)).toEqual(Array<number>(12).fill(503));
      gate.isSwallowing = false;
      const all = await Promise.all(Array.from({ length: 6 }, () => answers(server, admin.token)));
      expect(all.flat().map(({ statusCode }) => statusCode)).toEqual(Array<number>(12).fill(200));
      await server.close();
      await impatient.close();
    });

    test('a database whose writes all wait for a lock still answers reads', async () => {
      const school = await app.build.school();
      const { token } = school.admin;
      const patient = connectServer(connection(), {
        connections: 3,
        connectTimeoutMs: 60_000,
        statementTimeoutMs: 60_000,
      });
      const server = await appOn(patient);
      const path = `/v1/enterprises/${school.id}/readers`;
      const rename = (name: string) =>
        server.inject({
          method: 'POST',
          url: `${path}/${school.unplaced.id}`,
          headers: { authorization: `Bearer ${token}` },
          payload: { name },
        });
      const names = ['Ada One', 'Ada Two', 'Ada Three', 'Ada Four'];
      const { read, renamed } = await app.database.kysely.transaction().execute(async (tx) => {
        await sql`select from pupils where id = ${school.unplaced.id} for update`.execute(tx);
        const writes = Promise.all(names.map(rename));
        const waiting = async () =>
          (await sql<{ pid: number }>`select pid from pg_locks where not granted`.execute(tx)).rows.length;
        await expect.poll(waiting).toBeGreaterThan(1);
        const list = await server.inject({ url: path, headers: { authorization: `Bearer ${token}` } });
        return { read: list.statusCode, renamed: writes };
      });
      expect(read).toBe(200);
      expect((await renamed).map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
      await server.close();
      await patient.close();
    });

    test('a database that stops during a transaction rolls it back', async () => {
      const school = await app.build.school();
      const broken = inSchool(database, school.id, async (db) => {
        await db.tx.updateTable('pupils').set({ name: 'Half Done' }).where('school_id', '=', school.id).execute();
        await gate.shut();
        await db.tx.selectFrom('pupils').select('id').where('school_id', '=', school.id).execute();
      });
      await expect(broken).rejects.toThrow();
      await gate.open();
      const names = await inSchool(database, school.id, (db) =>
        db.tx.selectFrom('pupils').select('name').where('school_id', '=', school.id).execute(),
      );
      expect(names.map(({ name }) => name)).not.toContain('Half Done');
      expect((await app.call(accessCalls.getMe, { token: school.admin.token })).status).toBe(200);
    });
  });
