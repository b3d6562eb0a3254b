import { accessCalls } from '#contract/calls/access.ts';
import { passwordCalls } from '#contract/calls/passwords.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import { PASSWORD } from '../../../testing/builder.ts';
import { makeClient, strangersAddress, type TestClient } from '../../../testing/client-at.ts';

const app = testApp();
const hiding = testApp({ HIDE_ACCOUNTS: 'on' });
const HOME = '192.0.2.1';
const NEW = 'kite harbour 7';

beforeEach(async () => {
  for (const { database } of [app, hiding]) await database.kysely.deleteFrom('rate_limits').execute();
  await app.runJobs();
  app.mails.length = 0;
});

const request = (client: TestClient, email: string) => client.send(passwordCalls.requestPasswordReset, { email });

describe('mails with a link to a new password', () => {
  test('a known device gets a reset mail after strangers have used up theirs, five an hour', async () => {
    const { teacher } = await app.build.school();
    const device = makeClient(app, HOME);
    await device.send(accessCalls.logIn, { email: teacher.email, password: PASSWORD });
    const stranger: number[] = [];
    for (let n = 0; n < 7; n += 1)
      stranger.push((await request(makeClient(app, strangersAddress(n)), teacher.email)).status);
    expect(stranger).toEqual([200, 200, 200, 200, 200, 429, 429]);
    expect((await request(makeClient(app, HOME), teacher.email)).status).toBe(429);
    const own: number[] = [];
    for (let n = 0; n < 6; n += 1) own.push((await request(device, teacher.email)).status);
    expect(own).toEqual([200, 200, 200, 200, 200, 429]);
    await app.runJobs();
    expect(
      app.mails.filter(({ recipient, kind }) => recipient === teacher.email && kind === 'password_reset'),
    ).toHaveLength(10);
  });

  test('a known device gets a reset mail after a neighbour has used up the limit of its network address', async () => {
    const { teacher } = await app.build.school();
    const device = makeClient(app, HOME);
    await device.send(accessCalls.logIn, { email: teacher.email, password: PASSWORD });
    for (let n = 0; n < 60; n += 1) await request(makeClient(app, HOME), `unknown-${n}@test.example`);
    expect((await request(makeClient(app, HOME), teacher.email)).status).toBe(429);
    expect((await request(device, teacher.email)).status).toBe(200);
  });

  test('reset mails are counted alike with and without an account when accounts are hidden', async () => {
    const { teacher } = await hiding.build.school();
    const answers = [];
    for (const email of [teacher.email, 'nobody@test.example']) {
      const stranger = makeClient(hiding, HOME);
      const replies = [];
      for (let n = 0; n < 6; n += 1) {
        const { status, retryAfter, text } = await request(stranger, email);
        replies.push({ status, retryAfter, text });
      }
      answers.push(replies);
    }
    expect(answers[0]?.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429]);
    expect(answers[0]).toEqual(answers[1]);
  });
});

describe('a stranger who has registered an address, with accounts hidden,', () => {
  const registerAs = async (email: string) => {
    const client = makeClient(hiding, HOME);
    const person = { first_name: 'Ada', last_name: 'Baker', email, password: NEW };
    expect((await client.send(accessCalls.register, person)).status).toBe(200);
    return client;
  };
  const guess = (client: TestClient, email: string, n: number) =>
    client.send(accessCalls.logIn, { email, password: `guess ${n}` });

  test('a stranger who registered an address cannot exceed the limit of guesses by logging in between them', async () => {
    const { teacher } = await hiding.build.school();
    const stranger = await registerAs(teacher.email);
    const statuses: number[] = [];
    for (let n = 0; n < 12; n += 1) {
      statuses.push((await guess(stranger, teacher.email, n)).status);
      await stranger.send(accessCalls.logIn, { email: teacher.email, password: NEW });
    }
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429, 429]);
  });

  test('a stranger who registered an address cannot find out whether it had an account', async () => {
    const { teacher } = await hiding.build.school();
    const seen = [];
    for (const email of [teacher.email, 'new-person@test.example']) {
      const stranger = await registerAs(email);
      for (let n = 0; n < 12; n += 1) await guess(makeClient(hiding, strangersAddress(n)), email, n);
      const { status, retryAfter } = await stranger.send(accessCalls.logIn, { email, password: NEW });
      seen.push({ status, retryAfter });
    }
    expect(seen).toEqual([
      { status: 429, retryAfter: 300 },
      { status: 429, retryAfter: 300 },
    ]);
  });
});
