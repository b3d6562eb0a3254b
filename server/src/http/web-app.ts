import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Config } from '../config.ts';
import { hashesOfScripts, type PageTemplate, readTemplate } from './page-template.ts';

/** Where `vite build` leaves the web app: for browsers, and for the drawing of pages. */
const WEB_FOLDER = resolve(import.meta.dirname, '../../../dist/web');
const DRAWING_FOLDER = resolve(import.meta.dirname, '../../../dist/web-server');

/** One request for a page. */
interface PageRequest {
  /** Path and query. */
  url: string;
  /** The `Cookie` header. */
  cookies: string;
  /** Makes a call of the API for the visitor. */
  fetch: (address: string) => Promise<Response>;
  /** In milliseconds. */
  now: number;
}

/** What is drawn. `module` names the source of the screen, `state` is an element for the page. Without `html` the browser draws it. */
type DrawnPage =
  | { kind: 'redirect'; to: string }
  | { kind: 'guest'; to: string | null }
  | { kind: 'page'; title: string; html: string; state: string; module: string | undefined; error?: unknown }
  | { kind: 'unavailable'; title: string; html: string };

/** The part of the web app that draws pages: web/src/entry-server.tsx. */
interface Drawing {
  drawPage(request: PageRequest): Promise<DrawnPage>;
  moduleOf(pathname: string): Promise<string | undefined>;
  descriptionOf(pathname: string): string | undefined;
  hasScreen(pathname: string): boolean;
}

/** The built web app. */
export interface WebApp extends Drawing {
  folder: string;
  template: PageTemplate;
  /** CSP sources of the scripts that stand in its pages. */
  scriptHashes: string[];
}

/** Loads the built web app; undefined when it is not built. */
export async function loadWebApp(config: Config): Promise<WebApp | undefined> {
  const page = join(WEB_FOLDER, 'index.html');
  const drawing = join(DRAWING_FOLDER, 'entry-server.js');
  if (!existsSync(page) || !existsSync(drawing)) return undefined;
  const html = readFileSync(page, 'utf8');
  const { productName, stage, adminPanelUrl, support, enquiryFormUrl, staticFilesUrl } = config;
  const version = /<meta name="version" content="(\w+)"/.exec(html)?.[1];
  const shown = { productName, stage, adminPanelUrl, support, enquiryFormUrl, staticFilesUrl };
  const settings = { ...shown, version, drawsPages: config.drawsPages };
  // Before the import, which reads them as a page in the browser does.
  Object.assign(globalThis, { __PORTAL__: settings });
  const manifest = readFileSync(join(WEB_FOLDER, '.vite/manifest.json'), 'utf8');
  const template = readTemplate(
    html,
    JSON.stringify(settings),
    JSON.parse(manifest) as PageTemplate['manifest'],
    (address) => readFileSync(join(WEB_FOLDER, address), 'utf8'),
  );
  return {
    ...((await import(pathToFileURL(drawing).href)) as Drawing),
    folder: WEB_FOLDER,
    template,
    scriptHashes: hashesOfScripts(template.head),
  };
}
