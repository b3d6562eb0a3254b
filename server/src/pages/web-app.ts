import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Config } from '../config.ts';
import { VERSION } from '../version.ts';
import { hashesOfScripts, type PageTemplate, readTemplate } from './page-template.ts';

/** The output folders of `vite build`: for browsers, and for server rendering. */
const WEB_FOLDER = resolve(import.meta.dirname, '../../../dist/web');
const SERVER_BUILD_FOLDER = resolve(import.meta.dirname, '../../../dist/web-server');

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

/**
 * A rendered page. `module` is the source of the screen, `state` an element with its data. Without `html` the browser
 * renders it.
 */
type RenderedPage =
  | { kind: 'redirect'; to: string }
  | { kind: 'guest' }
  | {
      kind: 'page';
      title: string;
      html: string;
      state: string;
      module: string | undefined;
      isMissing?: boolean;
      error?: unknown;
    }
  | { kind: 'unavailable' };

/** A page that depends on its URL alone. */
type GuestPage =
  | { kind: 'redirect'; to: string }
  | { kind: 'page'; title: string; html: string; module: string | undefined; description: string; error?: unknown };

/** Why a link to a file does not open. */
interface FileFailure {
  status: number;
  /** What the API answers. */
  text: string;
  /** The path of the link. */
  path: string;
}

/** The part of the web app that renders pages: web/src/entry-server.tsx. */
interface PageRenderer {
  renderPage(request: PageRequest): Promise<RenderedPage>;
  renderGuestPage(url: string, now: number): Promise<GuestPage>;
  /** Renders the page that every address has while the portal is not available, or is too busy. */
  renderUnavailablePage(isBusy: boolean): Promise<{ title: string; html: string }>;
  /** Renders the page of a link to a file that the visitor cannot open. */
  renderFilePage(failure: FileFailure): Promise<{ title: string; html: string }>;
  /** The pattern of the screen at a path, such as `/pupils/:id`; `*` for an unknown address. */
  patternOf(pathname: string): string;
}

/** The built web app. */
export interface WebApp extends Omit<PageRenderer, 'renderUnavailablePage'> {
  unavailablePage: { title: string; html: string };
  busyPage: { title: string; html: string };
  folder: string;
  template: PageTemplate;
  /** CSP sources of its pages' inline scripts. */
  scriptHashes: string[];
}

/** Loads the built web app; undefined when it is not built. */
export async function loadWebApp(config: Config): Promise<WebApp | undefined> {
  const page = join(WEB_FOLDER, 'index.html');
  const renderer = join(SERVER_BUILD_FOLDER, 'entry-server.js');
  if (!existsSync(page) || !existsSync(renderer)) return undefined;
  const html = readFileSync(page, 'utf8');
  const { productName, stage, adminPanelUrl, support, enquiryFormUrl, staticFilesUrl } = config;
  const signInProviders = config.signInProviders.map(({ id, name }) => ({ id, name }));
  const version = /<meta name="version" content="(\w+)"/.exec(html)?.[1];
  const shown = { productName, stage, adminPanelUrl, support, enquiryFormUrl, staticFilesUrl, signInProviders };
  const settings = { ...shown, version, release: VERSION, hasServerRendering: config.hasServerRendering };
  // Before the import, because the modules read them at load, as in a browser.
  Object.assign(globalThis, { __PORTAL__: settings });
  const manifest = readFileSync(join(WEB_FOLDER, '.vite/manifest.json'), 'utf8');
  const template = readTemplate(
    html,
    JSON.stringify(settings),
    JSON.parse(manifest) as PageTemplate['manifest'],
    (path) => readFileSync(join(WEB_FOLDER, path), 'utf8'),
  );
  const { renderUnavailablePage, ...pages } = (await import(pathToFileURL(renderer).href)) as PageRenderer;
  return {
    ...pages,
    unavailablePage: await renderUnavailablePage(false),
    busyPage: await renderUnavailablePage(true),
    folder: WEB_FOLDER,
    template,
    scriptHashes: hashesOfScripts(template.head),
  };
}
