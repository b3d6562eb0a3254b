import { loginCardCalls } from '#contract/calls/login-cards.ts';
import type { FastifyInstance } from 'fastify';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { createApp } from '../../../app.ts';
import { readTemplate } from '../../../pages/page-template.ts';
import type { WebApp } from '../../../pages/web-app.ts';
import { testApp } from '../../../testing/app.ts';
import type { BuiltSchool } from '../../../testing/builder.ts';
import { WITHOUT_DOCUMENTS } from '../../../testing/web-portal.ts';

const app = testApp();
let portal: FastifyInstance;
let school: BuiltSchool;
/** The paths of the links to the new logins of a pupil, which the teacher made. */
let links: { logins: string; spreadsheet: string };

const WEB: WebApp = {
  folder: import.meta.dirname,
  template: readTemplate(
    '<html><head><title></title></head><body><div id="root"></div></body></html>',
    '{}',
    {},
    () => '',
  ),
  scriptHashes: [],
  ...WITHOUT_DOCUMENTS,
  patternOf: (path) => path,
  unavailablePage: { title: 'Away', html: '<h1>Away</h1>' },
  busyPage: { title: 'Busy', html: '<h1>Busy</h1>' },
  renderFilePage: async ({ status, path, text }) => ({ title: 'File', html: `<h1>${status} at ${path}: ${text}</h1>` }),
  renderPage: () => Promise.reject(new Error('No page is rendered.')),
  renderGuestPage: () => Promise.reject(new Error('No page is rendered.')),
};

beforeAll(async () => {
  portal = await createApp(app.services, WEB);
});

beforeEach(async () => {
  school = await app.build.school();
  const { reply } = await app.call(loginCardCalls.resetPasswords, {
    params: { id: school.id },
    body: { reader_ids: [school.unplaced.id] },
    token: school.teacher.token,
  });
  const pathOf = (link = '') => new URL(link).pathname;
  links = { logins: pathOf(reply.reset.links?.logins), spreadsheet: pathOf(reply.reset.links?.spreadsheet) };
});

/** What a browser sends when a user opens a link in the address line. */
const NAVIGATION = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'sec-fetch-dest': 'document',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-site': 'none',
};
const open = (url: string, headers: Record<string, string>) => portal.inject({ method: 'GET', url, headers });
const as = (token: string) => ({ cookie: `session=${token}` });

test('a browser with the session of the user who made login files downloads them by their links', async () => {
  for (const [url, type] of [
    [links.logins, 'application/pdf'],
    [links.spreadsheet, 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ] as const) {
    const { statusCode, headers } = await open(url, { ...NAVIGATION, ...as(school.teacher.token) });
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      'content-type': type,
      'content-disposition': expect.stringMatching(/^attachment/),
      'cache-control': 'no-store',
      'cross-origin-resource-policy': 'same-origin',
    });
  }
});

test('a link to login files shows a page with the status without a session, with another user’s session and after 24 hours', async () => {
  const statusOf = async (headers: Record<string, string>) => {
    const { statusCode, headers: reply, body } = await open(links.logins, { ...NAVIGATION, ...headers });
    expect(reply).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
    expect(reply.refresh).toBeUndefined();
    expect(body).toContain(`<h1>${statusCode} at ${links.logins}: `);
    return statusCode;
  };
  expect(await statusOf({})).toBe(401);
  expect(await statusOf(as('an-old-session'))).toBe(401);
  expect(await statusOf(as(school.admin.token))).toBe(404);
  const { teacher } = await app.build.school();
  expect(await statusOf(as(teacher.token))).toBe(404);
  app.setTime('2026-11-19T12:00:00.000Z');
  expect(await statusOf(as(school.teacher.token))).toBe(404);
  app.setTime('2026-11-18T12:00:00.000Z');
});

test('a link to login files shows an older browser, which only states that it accepts HTML, the page too', async () => {
  const { statusCode, body } = await open(links.logins, { accept: NAVIGATION.accept });
  expect([statusCode, body.includes('<h1>401 at ')]).toEqual([401, true]);
});

test.each([
  ['a program', { accept: '*/*' }],
  ['a program that names no type', {}],
  ['a script of the portal', { ...NAVIGATION, 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }],
  ['a browser that fetches the link as data', { accept: '*/*', 'sec-fetch-mode': 'navigate' }],
] as const)('%s gets the JSON error', async (_who, headers) => {
  const guest = await open(links.logins, headers);
  expect(guest.statusCode).toBe(401);
  expect(guest.json()).toEqual({ error: 'Unauthorised', error_type: 'authentication' });
  const answer = await open(links.logins, { ...headers, authorization: `Bearer ${school.admin.token}` });
  expect(answer.statusCode).toBe(404);
  expect(answer.json()).toMatchObject({ error_type: 'not_found' });
});

test('a browser that opens any other call gets the JSON error', async () => {
  const { statusCode, headers } = await open('/v1/users/me', NAVIGATION);
  expect([statusCode, headers['content-type']]).toEqual([401, 'application/json; charset=utf-8']);
});
