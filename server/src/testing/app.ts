import type { BodyInputOf, Call, ParamsOf, QueryInputOf, ReplyOf } from '#contract/call.ts';
import type { ErrorReply } from '#contract/error-reply.ts';
import type { FastifyInstance } from 'fastify';
import qs from 'qs';
import { afterAll, beforeAll, inject } from 'vitest';
import { createApp, listJobs } from '../app.ts';
import { readConfig } from '../config.ts';
import type { Database } from '../database/database.ts';
import type { Services } from '../context.ts';
import { openQueue, type Queue } from '../jobs/queue.ts';
import type { Mail } from '../mail/outbox.queries.ts';
import { type Builder, makeBuilder } from './builder.ts';
import { copyTemplate } from './databases.ts';
import { testSettings } from './test-settings.ts';

interface Request<C extends Call> {
  params?: { [Name in keyof ParamsOf<C>]: number | string };
  query?: QueryInputOf<C>;
  body?: BodyInputOf<C>;
  /** Sent as multipart/form-data in the call's upload field, together with the texts of the body. */
  file?: { name: string; content: Uint8Array | string };
  token?: string;
  headers?: Record<string, string>;
}

/** The result of a call: `reply` if it succeeded, `error` otherwise. */
interface Answer<C extends Call> {
  status: number;
  reply: ReplyOf<C>;
  error: ErrorReply;
  text: string;
  bytes: Buffer;
  headers: Record<string, unknown>;
}

/** The app in a test: its own database, a clock that only moves when it is set, and mails collected in a list. */
export interface TestApp {
  fastify: FastifyInstance;
  database: Database;
  services: Services;
  build: Builder;
  mails: Mail[];
  /** Makes a call of the contract as a client would, without a socket. */
  call<C extends Call>(call: C, request?: Request<C>): Promise<Answer<C>>;
  /** The same with an untyped body and query, for bad input. */
  ask(
    method: string,
    path: string,
    request?: { token?: string; payload?: string | Buffer | object; headers?: Record<string, string> },
  ): Promise<Answer<Call>>;
  setTime(timestamp: string): void;
  /** Runs all waiting jobs; with `scheduled` each job that has a schedule starts first. */
  runJobs(options?: { scheduled?: boolean }): Promise<number>;
}

async function toForm(
  call: Call,
  file: NonNullable<Request<Call>['file']>,
  body: unknown,
): Promise<{ payload: Buffer; headers: Record<string, string> }> {
  if (!call.upload) throw new Error(`${call.method} ${call.path} takes no file.`);
  const form = new FormData();
  for (const [name, value] of Object.entries((body ?? {}) as Record<string, unknown>)) form.append(name, String(value));
  form.append(call.upload.field, new Blob([file.content]), file.name);
  const encoded = new Response(form);
  return {
    payload: Buffer.from(await encoded.arrayBuffer()),
    headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
  };
}

/** Noon on a school day in the middle of the autumn term. */
const START = '2026-11-18T12:00:00.000Z';

/** Call at the top of a test file; the fields are set once its tests run. */
export function testApp(settings: Record<string, string> = {}): TestApp {
  let time = new Date(START);
  let remove: () => Promise<void>;
  let queue: Queue;
  const app = {
    mails: [],
    setTime: (timestamp: string) => void (time = new Date(timestamp)),
    runJobs: (options?: { scheduled?: boolean }) => queue.drain(options),
  } as unknown as TestApp;

  beforeAll(async () => {
    const copy = await copyTemplate(inject('template'));
    remove = copy.remove;
    app.database = copy.database;
    const config = readConfig({ ...testSettings, ...settings });
    app.services = { config, database: copy.served, clock: { now: () => time, isMovedByTests: true } };
    app.fastify = await createApp(app.services);
    const deliver = async (_id: number, mail: Mail) => void app.mails.push(mail);
    queue = await openQueue(copy.served, listJobs(app.services, deliver), (error) => {
      throw error;
    });
    app.build = makeBuilder(app.services);
    app.ask = async (method, path, { token, payload, headers } = {}) => {
      const response = await app.fastify.inject({
        method: method as 'GET',
        url: `/v1${path}`,
        headers: {
          ...(token ? { authorization: `Bearer ${token}` } : {}),
          ...(typeof payload === 'string' ? { 'content-type': 'application/json' } : {}),
          ...headers,
        },
        ...(payload === undefined ? {} : { payload }),
      });
      const isJson = /^application\/json(;|$)/.test(String(response.headers['content-type']));
      const body = isJson ? response.json() : undefined;
      return {
        status: response.statusCode,
        reply: body,
        error: body,
        text: response.payload,
        bytes: response.rawPayload,
        headers: response.headers,
      };
    };
    app.call = async (call: Call, { params = {}, query, body, file, token, headers }: Request<Call> = {}) => {
      const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) =>
        encodeURIComponent(String((params as Record<string, unknown>)[name])),
      );
      const search = query ? `?${qs.stringify(query)}` : '';
      const form = file && (await toForm(call, file, body));
      return app.ask(call.method, path + search, {
        ...(form ? { payload: form.payload } : body === undefined ? {} : { payload: body as object }),
        ...(token ? { token } : {}),
        headers: { ...form?.headers, ...headers },
      });
    };
  });
  afterAll(async () => {
    await queue.stop();
    await app.fastify.close();
    await remove();
  });
  return app;
}
