import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accessCalls } from '#contract/calls/access.ts';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { afterAll, beforeAll } from 'vitest';
import { createApp } from '../app.ts';
import { readTemplate } from '../pages/page-template.ts';
import type { WebApp } from '../pages/web-app.ts';
import type { TestApp } from './app.ts';

const PAGE = { title: 'Page', html: '<p>Page</p>', state: '', module: undefined };

/** The parts of a web app whose guests load the app too. */
export const WITHOUT_DOCUMENTS: Pick<WebApp, 'isDocument' | 'formPaths' | 'submitForm'> = {
  isDocument: () => false,
  formPaths: [],
  submitForm: () => Promise.reject(new Error('No page has a form.')),
};

/** A web app with one file, whose pages only say whether their visitor has a session. */
const createWeb = (): WebApp => ({
  folder: mkdtempSync(join(tmpdir(), 'web-')),
  template: readTemplate(
    '<html><head><title>T</title></head><body><div id="root"></div></body></html>',
    '{}',
    {},
    String,
  ),
  scriptHashes: [],
  patternOf: (path) => path,
  ...WITHOUT_DOCUMENTS,
  unavailablePage: PAGE,
  busyPage: PAGE,
  renderFilePage: async () => PAGE,
  renderPage: async ({ fetch }) =>
    (await fetch('/v1/users/me')).status === 200 ? { kind: 'page', ...PAGE } : { kind: 'guest' },
  renderGuestPage: async () => ({ kind: 'page', ...PAGE, html: '<p>Guest</p>', description: '' }),
});

/** Headers of a form without files on one of the portal's own pages. */
export const FORM = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };

/** A portal with pages, for tests of documents. Call at the top of a test file. */
export function webPortal(app: TestApp) {
  const web = createWeb();
  let fastify: FastifyInstance;
  beforeAll(async () => {
    mkdirSync(join(web.folder, 'assets'));
    writeFileSync(join(web.folder, 'assets/app.js'), '');
    fastify = await createApp(app.services, web);
  });
  afterAll(async () => {
    await fastify.close();
    rmSync(web.folder, { recursive: true });
  });
  return {
    web,
    inject: (request: InjectOptions) => fastify.inject(request),
    /** Opens an address, by default the log out; `cookies` are the name, value and age of those that the reply sets. */
    ask: async (
      method: 'GET' | 'HEAD' | 'POST',
      headers: Record<string, string> = {},
      url = '/logout',
      on?: FastifyInstance,
    ) => {
      const { statusCode: status, headers: reply, body } = await (on ?? fastify).inject({ method, url, headers });
      const cookies = [reply['set-cookie'] ?? []].flat().map((cookie) => cookie.split('; Path')[0]!);
      return { status, to: reply.location, cookies: cookies.toSorted(), body, cache: reply['cache-control'] };
    },
    /** An admin with a session in a cookie. */
    newSession: async () => {
      const { admin } = await app.build.school();
      return { ...admin, cookie: `session=${admin.token}` };
    },
    isValid: async (token: string) => (await app.call(accessCalls.getMe, { token })).status === 200,
  };
}
