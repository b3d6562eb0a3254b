import type { BodyInputOf, Call } from '#contract/call.ts';
import { accessCalls } from '#contract/calls/access.ts';
import type { TestApp } from './app.ts';

/** What a request ended with; `token` of the session, or of the second step. */
interface Answered {
  status: number;
  token: string;
  retryAfter: number;
  text: string;
}

/** A browser or program at an address, which keeps its cookies. */
export interface TestClient {
  send<C extends Call>(call: C, body: BodyInputOf<C>): Promise<Answered>;
  /** Changes where the next requests come from. */
  moveTo(address: string): void;
  cookie: string;
}

/** A client of the portal that the test names; with `isProgram` it has no cookies. */
export function makeClient(app: TestApp, address: string, { isProgram = false } = {}): TestClient {
  let from = address;
  const client: TestClient = {
    cookie: '',
    moveTo: (next) => void (from = next),
    send: async (call, body) => {
      const reply = await app.fastify.inject({
        method: call.method,
        url: `/v1${call.path}`,
        remoteAddress: from,
        payload: body as object,
        headers: {
          'user-agent': 'Mozilla/5.0',
          ...(!isProgram && { 'sec-fetch-site': 'same-origin', cookie: client.cookie }),
        },
      });
      const device = reply.cookies.find(({ name }) => name.endsWith('device'));
      if (device) client.cookie = `${device.name}=${device.value}`;
      const { meta, second_factor: step } = reply.json<{
        meta?: { token: string };
        second_factor?: { token: string };
      }>();
      return {
        status: reply.statusCode,
        token: meta?.token ?? step?.token ?? '',
        retryAfter: Number(reply.headers['retry-after'] ?? 0),
        text: reply.payload,
      };
    },
  };
  return client;
}

/** An address of a stranger: each in a network of its own. */
export const strangersAddress = (n: number): string => `2001:db8:${n.toString(16)}::1`;

/** Sends wrong passwords for an account, each from another network. */
export const guessAsStrangers = (app: TestApp, email: string, times: number, first = 0) =>
  Promise.all(
    Array.from({ length: times }, (_, n) =>
      makeClient(app, strangersAddress(first + n)).send(accessCalls.logIn, { email, password: `guess ${n}` }),
    ),
  );
