import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Config } from '../config.ts';
import { AppError } from './errors.ts';

/** Where `vite build` leaves the web app. */
const WEB_FOLDER = resolve(import.meta.dirname, '../../../dist/web');
const PLACE = '<!--portal-config-->';

/** The page that every address of the portal answers, with the settings that the web app needs. */
export interface Page {
  html: string;
  /** CSP sources of the scripts that stand in it. */
  scriptHashes: string[];
}

/** Reads the built page; undefined when the web app is not built. */
export function readPage(config: Config, folder = WEB_FOLDER): Page | undefined {
  const file = join(folder, 'index.html');
  if (!existsSync(file)) return undefined;
  const { productName, stage, adminPanelUrl, support, enquiryFormUrl, staticFilesUrl } = config;
  const settings = JSON.stringify({
    productName,
    stage,
    adminPanelUrl,
    support,
    enquiryFormUrl,
    staticFilesUrl,
  }).replaceAll('<', '\\u003c');
  const html = readFileSync(file, 'utf8').replace(PLACE, () => `<script>window.__PORTAL__=${settings}</script>`);
  const scripts = [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, source = '']) => source,
  );
  return {
    html,
    scriptHashes: scripts.map((source) => `'sha256-${createHash('sha256').update(source).digest('base64')}'`),
  };
}

/** Serves the web app: its files, compressed ahead and kept for ever, and the page at every other address. */
export async function serveWeb(app: FastifyInstance, page: Page | undefined, folder = WEB_FOLDER): Promise<void> {
  if (page) {
    const bodies = {
      br: brotliCompressSync(page.html, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
      gzip: gzipSync(page.html, { level: 9 }),
    };
    const sendPage = (accepts: string, reply: FastifyReply) => {
      reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').header('vary', 'accept-encoding');
      const encoding = (['br', 'gzip'] as const).find((name) => accepts.includes(name));
      return encoding ? reply.header('content-encoding', encoding).send(bodies[encoding]) : reply.send(page.html);
    };
    await app.register(fastifyStatic, {
      root: folder,
      index: false,
      // A route for each file: what is none of them is the API's, the page's, or not found.
      wildcard: false,
      globIgnore: ['index.html*'],
      preCompressed: true,
      cacheControl: false,
      setHeaders: (reply, path) => {
        reply.header('cache-control', path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache');
      },
    });
    app.get('/', (request, reply) => sendPage(request.headers['accept-encoding']?.toString() ?? '', reply));
    app.get('/index.html', (_request, reply) => reply.redirect('/'));
    app.setNotFoundHandler((request, reply) => {
      const isPage = request.method === 'GET' && !/^\/(v1|assets|content)(\/|$)/.test(request.url);
      if (!isPage) throw new AppError('not_found');
      return sendPage(request.headers['accept-encoding']?.toString() ?? '', reply);
    });
  } else
    app.setNotFoundHandler(() => {
      throw new AppError('not_found');
    });
}
