import { accessCalls } from '#contract/calls/access.ts';
import { operatorCalls } from '#contract/calls/operators.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { sessionCalls } from '#contract/calls/sessions.ts';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import { type BuiltSchool, PASSWORD } from '../../../testing/builder.ts';

const PUBLIC_URL = 'https://portal.test.example';
const app = testApp({ PUBLIC_URL });
const START = Date.parse('2026-11-18T12:00:00.000Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const setTimeAfter = (milliseconds: number) => app.setTime(new Date(START + milliseconds).toISOString());

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const PROGRAM = { 'user-agent': 'timetable-sync/2.1' };

let school: BuiltSchool;
beforeEach(async () => {
  setTimeAfter(0);
  school = await app.build.school({ timeZone: 'Pacific/Auckland' });
  await app.runJobs();
  app.mails.length = 0;
});

const setCookies = (headers: Record<string, unknown>) => [headers['set-cookie'] ?? []].flat().map(String);
const deviceCookieOf = (headers: Record<string, unknown>) =>
  setCookies(headers).find((cookie) => cookie.startsWith('__Host-device='));

/** Logs in; in a browser the headers say so. Returns the session's token and the headers of the browser's next request. */
async function logIn(email: string, headers: Record<string, string>) {
  const answer = await app.call(accessCalls.logIn, { body: { email, password: PASSWORD }, headers });
  expect(answer.status).toBe(200);
  const cookie = deviceCookieOf(answer.headers);
  return {
    token: answer.reply.meta.token,
    cookie,
    next: { ...headers, ...(cookie && { cookie: cookie.split(';')[0] ?? '' }) },
  };
}
const inBrowser = (userAgent: string) => ({ 'user-agent': userAgent, 'sec-fetch-site': 'same-origin' });

/** The mails about new devices since the last call. */
async function newMails() {
  await app.runJobs();
  return app.mails.splice(0).filter(({ kind }) => kind === 'new_device');
}
const linkIn = (mail: { text: string } | undefined) => /\/end-session\/([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? '';

const list = async (token: string) => (await app.call(sessionCalls.listSessions, { token })).reply.sessions;
const works = async (token: string) => (await app.call(accessCalls.getMe, { token })).status === 200;
const endByLink = (token: string) => app.call(sessionCalls.endSessionByLink, { body: { token } });
const countDevices = async (userId: number) =>
  (await app.database.kysely.selectFrom('devices').select('user_id').where('user_id', '=', userId).execute()).length;
async function auditOf(built: BuiltSchool, token = built.admin.token) {
  const { reply } = await app.call(schoolCalls.listAuditLog, {
    token,
    params: { id: built.id },
    query: { kind: 'logins' },
  });
  return reply.entries.map(({ action, actor }) => [action, actor?.id]);
}

describe('the device cookie', () => {
  test('a login from the portal’s own pages sets a device cookie, out of reach of scripts, which gives no access', async () => {
    const { cookie, next } = await logIn(school.admin.email, inBrowser(CHROME));
    expect(cookie).toMatch(/^__Host-device=[\w-]{43}; Max-Age=34128000; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    expect((await app.call(accessCalls.getMe, { headers: next })).status).toBe(401);
  });

  test('a device cookie keeps its value at the next login, also of another user, and is replaced when malformed', async () => {
    const first = await logIn(school.admin.email, inBrowser(CHROME));
    const again = await logIn(school.admin.email, first.next);
    const colleague = await logIn(school.teacher.email, first.next);
    expect([again.cookie, colleague.cookie]).toEqual([first.cookie, first.cookie]);
    const odd = await logIn(school.admin.email, { ...inBrowser(CHROME), cookie: '__Host-device=short' });
    expect(odd.cookie).toMatch(/^__Host-device=[\w-]{43};/);
    expect(odd.cookie).not.toBe(first.cookie);
  });

  test('no device cookie is set for a program or by a failed login', async () => {
    expect((await logIn(school.admin.email, PROGRAM)).cookie).toBeUndefined();
    const failed = await app.call(accessCalls.logIn, {
      body: { email: school.admin.email, password: 'wrong-password' },
      headers: inBrowser(CHROME),
    });
    expect([failed.status, setCookies(failed.headers)]).toEqual([401, []]);
  });

  test('a device cookie is stored as a digest only', async () => {
    const { cookie } = await logIn(school.admin.email, inBrowser(CHROME));
    const value = /=([\w-]+)/.exec(cookie ?? '')?.[1] ?? '';
    const { rows } = await sql<{ all: string }>`
      select string_agg(d::text, '') || (select string_agg(s::text, '') from sessions s) as all from devices d`.execute(
      app.database.kysely,
    );
    expect(rows[0]?.all).not.toContain(value);
    expect(rows[0]?.all).not.toContain(Buffer.from(value).toString('hex'));
  });
});

describe('a login from a new device', () => {
  test('a new device is announced once, with browser, system and the time in the school’s time zone', async () => {
    const { next } = await logIn(school.admin.email, inBrowser(CHROME));
    const [mail, ...others] = await newMails();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ recipient: school.admin.email, subject: 'New login to your Storylark account' });
    expect(mail?.text).toContain('Browser: Chrome');
    expect(mail?.text).toContain('System: Windows');
    expect(mail?.text).toContain('When: 19 November 2026 at 01:00');
    expect(mail?.text).not.toContain('127.0.0.1');
    await logIn(school.admin.email, next);
    expect(await newMails()).toEqual([]);
  });

  test('an account’s first device is not announced', async () => {
    const person = { first_name: 'Ada', last_name: 'Firth', email: 'ada-firth@test.example', password: PASSWORD };
    await app.call(accessCalls.register, { body: person, headers: inBrowser(CHROME) });
    await app.database.kysely
      .updateTable('users')
      .set({ email_confirmed_at: new Date() })
      .where('email', '=', person.email)
      .execute();
    expect(await newMails()).toEqual([]);
    await logIn(person.email, inBrowser(FIREFOX));
    expect((await newMails()).map(({ recipient }) => recipient)).toEqual([person.email]);
  });

  test('a new device is not announced to an unconfirmed address, which may belong to a stranger', async () => {
    await app.database.kysely
      .updateTable('users')
      .set({ email_confirmed_at: null })
      .where('id', '=', school.admin.id)
      .execute();
    await logIn(school.admin.email, inBrowser(CHROME));
    expect(await newMails()).toEqual([]);
  });

  test('an API client is announced once per user agent, even for simultaneous logins', async () => {
    await Promise.all([logIn(school.admin.email, PROGRAM), logIn(school.admin.email, PROGRAM)]);
    const mails = await newMails();
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toContain('Browser: Not recognised');
    await logIn(school.admin.email, PROGRAM);
    expect(await newMails()).toEqual([]);
    // A browser with the same user agent is another device.
    await logIn(school.admin.email, inBrowser(PROGRAM['user-agent']));
    expect(await newMails()).toHaveLength(1);
  });

  test('the mail about a new device has no text of the user agent', async () => {
    const agents = ['Visit http://bad.example/now (today) please', '"><script>', 'x'.repeat(5000)];
    for (const agent of agents) await logIn(school.admin.email, inBrowser(agent));
    const mails = await newMails();
    expect(mails).toHaveLength(3);
    for (const { html, text } of mails) {
      expect(text).toContain('Browser: Not recognised');
      expect(html).not.toMatch(/bad\.example|script>|xxxx/);
    }
  });

  test('a device is announced again after 12 months without a login there', async () => {
    const { next } = await logIn(school.admin.email, inBrowser(CHROME));
    setTimeAfter(300 * DAY);
    await logIn(school.admin.email, next);
    // 29 February 2028 is one of the days.
    setTimeAfter(666 * DAY - 1);
    await app.runJobs({ scheduled: true });
    expect(await countDevices(school.admin.id)).toBe(1);
    setTimeAfter(666 * DAY);
    await app.runJobs({ scheduled: true });
    expect(await countDevices(school.admin.id)).toBe(0);
  });

  test('a new device replaces the one used longest ago when a user has 20', async () => {
    const first = await logIn(school.admin.email, inBrowser(CHROME));
    for (let n = 1; n <= 20; n += 1) {
      setTimeAfter(n * 60_000);
      await logIn(school.admin.email, { 'user-agent': `program-${n}` });
    }
    expect(await countDevices(school.admin.id)).toBe(20);
    await newMails();
    await logIn(school.admin.email, { 'user-agent': 'program-2' });
    expect(await newMails()).toEqual([]);
    await logIn(school.admin.email, first.next);
    expect(await newMails()).toHaveLength(1);
  });
});

describe('the list of sessions', () => {
  test('the list of sessions has the user’s own, the latest use first, with the device and the current one', async () => {
    setTimeAfter(DAY);
    const chrome = await logIn(school.admin.email, inBrowser(CHROME));
    setTimeAfter(2 * DAY);
    await logIn(school.admin.email, inBrowser(FIREFOX));
    setTimeAfter(2 * DAY + HOUR);
    await logIn(school.teacher.email, inBrowser(FIREFOX));
    const sessions = await list(chrome.token);
    expect(sessions.map(({ id: _, ...rest }) => rest)).toEqual([
      {
        browser: 'Chrome',
        system: 'Windows',
        created_at: '2026-11-19T12:00:00.000Z',
        last_used_at: '2026-11-20T13:00:00.000Z',
        is_recent: true,
        is_current: true,
      },
      {
        browser: 'Firefox',
        system: 'Linux',
        created_at: '2026-11-20T12:00:00.000Z',
        last_used_at: '2026-11-20T12:00:00.000Z',
        is_recent: false,
        is_current: false,
      },
      // It began before devices were recorded.
      {
        browser: null,
        system: null,
        created_at: '2026-11-18T12:00:00.000Z',
        last_used_at: '2026-11-18T12:00:00.000Z',
        is_recent: false,
        is_current: false,
      },
    ]);
    expect(new Set(sessions.map(({ id }) => id)).size).toBe(3);
    expect(JSON.stringify(sessions)).not.toContain(chrome.token);
  });

  test('the list of sessions omits ended sessions that are not deleted yet', async () => {
    setTimeAfter(25 * DAY);
    const { token } = await logIn(school.admin.email, inBrowser(CHROME));
    expect(await list(token)).toHaveLength(2);
    setTimeAfter(30 * DAY);
    expect(await list(token)).toHaveLength(1);
  });

  test('the list of sessions has at most 100', async () => {
    const hashes = Array.from({ length: 120 }, (_, n) => Buffer.from(`session ${n}`));
    const at = new Date(START);
    await app.database.kysely
      .insertInto('sessions')
      .values(
        hashes.map((token_hash) => ({
          token_hash,
          user_id: school.admin.id,
          school_id: school.id,
          pupil_id: null,
          impersonator_id: null,
          created_at: at,
          last_used_at: at,
          expires_at: new Date(START + DAY),
          browser: null,
          system: null,
          device_hash: null,
        })),
      )
      .execute();
    expect(await list(school.admin.token)).toHaveLength(100);
  });

  test('the list of sessions omits support, who neither register a device nor see or end the user’s sessions', async () => {
    const operator = await app.build.operator();
    const { reply } = await app.call(operatorCalls.mintImpersonation, {
      token: operator.token,
      body: { user_id: school.teacher.id, reason: 'A question' },
    });
    const support = await app.call(operatorCalls.impersonate, {
      body: { code: reply.code },
      headers: inBrowser(FIREFOX),
    });
    const { token } = support.reply.meta;
    expect(await countDevices(school.teacher.id)).toBe(0);
    expect(await newMails()).toEqual([]);
    expect(await list(school.teacher.token)).toHaveLength(1);
    const answers = [
      await app.call(sessionCalls.listSessions, { token }),
      await app.call(sessionCalls.endOtherSessions, { token }),
      await app.call(sessionCalls.endSession, { token, params: { loginSessionId: '0'.repeat(64) } }),
    ];
    expect(answers.map(({ status, error }) => [status, error.code])).toEqual(
      answers.map(() => [409, 'not_while_impersonating']),
    );
    await app.call(sessionCalls.endOtherSessions, { token: school.teacher.token });
    expect(await works(token)).toBe(true);
  });
});

describe('a session is ended', () => {
  const idOf = async (token: string) => (await list(token)).find(({ is_current }) => is_current)?.id ?? '';
  const end = (token: string, loginSessionId: string) =>
    app.call(sessionCalls.endSession, { token, params: { loginSessionId } });

  test('a user logs out another device once, with an entry in the audit log', async () => {
    const chrome = await logIn(school.admin.email, inBrowser(CHROME));
    const firefox = await logIn(school.admin.email, inBrowser(FIREFOX));
    const id = await idOf(chrome.token);
    const answers = await Promise.all([end(firefox.token, id), end(firefox.token, id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect(answers.find(({ status }) => status === 404)?.error.error).toBe('This device has already been logged out.');
    expect([await works(chrome.token), await works(firefox.token)]).toEqual([false, true]);
    expect((await auditOf(school))[0]).toEqual(['session_ended', school.admin.id]);
  });

  test('a user logs out a session that began before devices were recorded', async () => {
    const chrome = await logIn(school.admin.email, inBrowser(CHROME));
    expect((await end(chrome.token, await idOf(school.admin.token))).status).toBe(200);
    expect(await works(school.admin.token)).toBe(false);
  });

  test('the next login from a device that was logged out is announced again', async () => {
    const chrome = await logIn(school.admin.email, inBrowser(CHROME));
    const firefox = await logIn(school.admin.email, inBrowser(FIREFOX));
    await end(firefox.token, await idOf(chrome.token));
    await newMails();
    await logIn(school.admin.email, firefox.next);
    expect(await newMails()).toEqual([]);
    await logIn(school.admin.email, chrome.next);
    expect(await newMails()).toHaveLength(1);
  });

  test('a device that was logged out is remembered while another session is left there', async () => {
    const before = await logIn(school.admin.email, inBrowser(CHROME));
    const now = await logIn(school.admin.email, before.next);
    await end(now.token, await idOf(before.token));
    await newMails();
    await logIn(school.admin.email, now.next);
    expect(await newMails()).toEqual([]);
  });

  test('no user logs out another user’s session', async () => {
    for (const id of [await idOf(school.teacher.token), '0'.repeat(64), 'not-an-id'])
      expect((await end(school.admin.token, id)).status).toBe(404);
    expect(await works(school.teacher.token)).toBe(true);
    expect((await auditOf(school)).map(([action]) => action)).not.toContain('session_ended');
  });

  test('ending the current session is a logout', async () => {
    const chrome = await logIn(school.admin.email, inBrowser(CHROME));
    await newMails();
    expect((await end(chrome.token, await idOf(chrome.token))).status).toBe(200);
    expect(await works(chrome.token)).toBe(false);
    await logIn(school.admin.email, chrome.next);
    expect(await newMails()).toEqual([]);
  });

  test('a user logs out all other devices, but not the current one or those of colleagues', async () => {
    const chrome = await logIn(school.admin.email, inBrowser(CHROME));
    const firefox = await logIn(school.admin.email, inBrowser(FIREFOX));
    const colleague = await logIn(school.teacher.email, chrome.next);
    const endOthers = () => app.call(sessionCalls.endOtherSessions, { token: firefox.token });
    expect((await Promise.all([endOthers(), endOthers()])).map(({ status }) => status)).toEqual([200, 200]);
    expect([await works(chrome.token), await works(school.admin.token)]).toEqual([false, false]);
    expect([await works(firefox.token), await works(colleague.token)]).toEqual([true, true]);
    expect((await auditOf(school, firefox.token)).filter(([action]) => action === 'sessions_ended')).toHaveLength(1);
    await newMails();
    await logIn(school.admin.email, firefox.next);
    await logIn(school.teacher.email, chrome.next);
    expect(await newMails()).toEqual([]);
  });
});

describe('the link in the mail', () => {
  const announced = async () => {
    const login = await logIn(school.admin.email, inBrowser(CHROME));
    return { ...login, link: linkIn((await newMails())[0]) };
  };

  test('the link in the mail about a new device ends its session, once, without a login', async () => {
    const { token, link } = await announced();
    expect((await Promise.all([endByLink(link), endByLink(link)])).map(({ status }) => status).sort()).toEqual([
      200, 404,
    ]);
    expect([await works(token), await works(school.admin.token)]).toEqual([false, true]);
    expect((await auditOf(school))[0]).toEqual(['session_ended', school.admin.id]);
    expect((await endByLink(link)).error.code).toBe('token_expired');
  });

  test('the link in the mail forgets the device, so that its next login is announced again', async () => {
    const { next, link } = await announced();
    await endByLink(link);
    await logIn(school.admin.email, next);
    expect(await newMails()).toHaveLength(1);
  });

  test('the link in the mail works after the address or the password has changed, because it gives no access', async () => {
    const { token, link } = await announced();
    const body = { email: 'someone-else@test.example', current_password: PASSWORD };
    expect((await app.call(accessCalls.updateMe, { token, body })).status).toBe(200);
    expect(await works(token)).toBe(true);
    expect((await endByLink(link)).status).toBe(200);
    expect(await works(token)).toBe(false);
  });

  test('the link in the mail is accepted after its session has ended, and then changes nothing', async () => {
    const { token, link } = await announced();
    await app.call(accessCalls.logOut, { token });
    expect((await endByLink(link)).status).toBe(200);
    expect((await auditOf(school)).map(([action]) => action)).not.toContain('session_ended');
  });

  test('the link in the mail is rejected after 7 days, for a removed account, and when it is of another kind', async () => {
    const { link } = await announced();
    expect((await endByLink(await app.build.link('password_reset', school.admin.id))).status).toBe(404);
    setTimeAfter(7 * DAY);
    expect((await endByLink(link)).status).toBe(404);
    setTimeAfter(0);
    await app.database.kysely.deleteFrom('users').where('id', '=', school.admin.id).execute();
    expect((await endByLink(link)).status).toBe(404);
    expect(await countDevices(school.admin.id)).toBe(0);
  });
});
