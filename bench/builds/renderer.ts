/*
 * Renders pages of one build in a process of its own, which `rendering.ts` starts with the work tree, the portal's URL and
 * the pages' paths as arguments. The first rendering of each page calls the API of that portal; later ones use the recorded replies.
 * Each message renders every page again and is answered with milliseconds of processor time a page, by path.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DEMO_STAFF } from './comparison.ts';

interface PageRenderer {
  renderPage(request: {
    url: string;
    cookies: string;
    now: number;
    fetch: (address: string) => Promise<Response>;
  }): Promise<{ kind: string; html?: string }>;
}

const RENDERINGS = 10;

const [root = '', portal = '', ...paths] = process.argv.slice(2);
const loginPage = await (await fetch(`${portal}/login`)).text();
Object.assign(globalThis, { __PORTAL__: JSON.parse(/__PORTAL__=(\{.*?\})<\/script>/.exec(loginPage)?.[1] ?? '{}') });
const build = pathToFileURL(join(root, 'dist/web-server/entry-server.js')).href;
const { renderPage } = (await import(build)) as PageRenderer;

const headers = { 'content-type': 'application/json' };
const login = await fetch(`${portal}/v1/auth`, { method: 'POST', headers, body: JSON.stringify(DEMO_STAFF) });
const { meta } = (await login.json()) as { meta: { token: string } };

const replies = new Map<string, { status: number; type: string; body: string }>();
async function callApi(address: string): Promise<Response> {
  let reply = replies.get(address);
  if (!reply) {
    const response = await fetch(portal + address, { headers: { authorization: `Bearer ${meta.token}` } });
    reply = {
      status: response.status,
      type: response.headers.get('content-type') ?? '',
      body: await response.text(),
    };
    replies.set(address, reply);
  }
  return new Response(reply.body, { status: reply.status, headers: { 'content-type': reply.type } });
}

const now = Date.now();
async function render(url: string): Promise<void> {
  const { kind, html } = await renderPage({ url, cookies: '', now, fetch: callApi });
  if (kind !== 'page' || !html) throw new Error(`${root} does not render ${url}.`);
}

process.on('message', async () => {
  const times: Record<string, number> = {};
  for (const path of paths) {
    const before = process.cpuUsage();
    for (let count = 0; count < RENDERINGS; count += 1) await render(path);
    const { user, system } = process.cpuUsage(before);
    times[path] = (user + system) / 1000 / RENDERINGS;
  }
  process.send?.(times);
});
