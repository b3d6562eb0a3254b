import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { PageContent, PageRenderer } from '#contract/pages.ts';
import type { Config } from '../config.ts';
import { VERSION } from '../version.ts';
import { hashesOfScripts, type PageTemplate, readTemplate } from './page-template.ts';

/** The output folders of `vite build`: for browsers, and for server rendering. */
const WEB_FOLDER = resolve(import.meta.dirname, '../../../dist/web');
const SERVER_BUILD_FOLDER = resolve(import.meta.dirname, '../../../dist/web-server');

/** The built web app. */
export interface WebApp extends Omit<PageRenderer, 'renderUnavailablePage'> {
  unavailablePage: PageContent;
  busyPage: PageContent;
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
