import type { FastifyInstance } from 'fastify';
import { beforeAll, expect, test } from 'vitest';
import { createApp } from '../app.ts';
import { testApp } from '../testing/app.ts';
import { readTemplate } from './page-template.ts';
import type { WebApp } from './web-app.ts';
import { WITHOUT_DOCUMENTS } from '../testing/web-portal.ts';

const app = testApp();
const PAGE = { title: 'Page', html: '<p>Page</p>', state: '', module: undefined };

let portal: FastifyInstance;
/** The URLs of the pages whose rendering has started, and what ends each. */
const started: string[] = [];
const releases: (() => void)[] = [];

beforeAll(async () => {
  const web: WebApp = {
    folder: import.meta.dirname,
    template: readTemplate(
      '<html><head><title>T</title></head><body><div id="root"></div></body></html>',
      '{}',
      {},
      String,
    ),
    scriptHashes: [],
    ...WITHOUT_DOCUMENTS,
    patternOf: (path) => path,
    unavailablePage: { ...PAGE, html: '<h1>Away</h1>' },
    busyPage: { ...PAGE, html: '<h1>Busy</h1>' },
    renderFilePage: async () => PAGE,
    renderPage: ({ url }) => {
      started.push(url);
      return new Promise((resolve) => releases.push(() => resolve({ kind: 'page', ...PAGE })));
    },
    renderGuestPage: async () => ({ kind: 'page', ...PAGE, description: '' }),
  };
  portal = await createApp(app.services, web);
});

const open = (url: string, { token }: { token: string }) =>
  portal.inject({ method: 'GET', url, headers: { cookie: `session=${token}` } });

test('one person’s pages leave half of the rendering to others, and beyond six are answered as busy', async () => {
  const [school, other] = [await app.build.school(), await app.build.school()];
  const greedy = [1, 2, 3, 4, 5, 6, 7].map((n) => open(`/greedy/${n}`, school.teacher));
  const first = await Promise.race(greedy);
  expect([first.statusCode, first.headers['retry-after'], first.headers.refresh]).toEqual([503, '5', '5']);
  expect(first.body).toContain('Busy');
  expect(started).toHaveLength(2);
  const page = open('/other', other.teacher);
  await expect.poll(() => started.at(-1)).toBe('/other');
  const isOver = Promise.all([...greedy, page]);
  while (started.length < 7 || releases.length > 0) {
    for (const release of releases.splice(0)) release();
    await new Promise((resolve) => void setImmediate(resolve));
  }
  const statuses = (await isOver).map(({ statusCode }) => statusCode);
  expect(statuses.sort()).toEqual([...Array<number>(7).fill(200), 503]);
});
