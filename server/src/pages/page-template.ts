import { createHash, randomBytes } from 'node:crypto';

/** A file of the browser build, as Vite's manifest lists it. */
interface BuiltFile {
  file: string;
  /** Other entries of the manifest that it imports. */
  imports?: string[];
}

/** The parts of the built page. */
export interface PageTemplate {
  /** The head of every page, without its title and the app's scripts. */
  head: string;
  body: string;
  manifest: Record<string, BuiltFile>;
  style: Style;
}

/** The app's only style sheet. */
interface Style {
  /** The element that loads the style sheet; empty without one. */
  link: string;
  /** Its URL, which differs for each build. */
  url: string;
  text: string;
}

const SETTINGS = '<!--portal-config-->';
const TITLE = /<title>.*?<\/title>/;
const APP_FILES = /\s*<(?:script type="module"[^>]*><\/script>|link rel="modulepreload"[^>]*>)/g;
const FONT = /(?:\s*<link\s[^>]*as="font"[^>]*>)+(?:\s*<script>[^<]*<\/script>)?/;
const SCHEME = /(data-scheme=)"light"/;
const ROOT = '<div id="root"></div>';
/** What comes after the first view of a long page, and what comes after the content of every page. */
const REST_OF_PAGE = 'rest-of-page';
const PAGE_STATE = 'page-state';
/**
 * Makes browsers that support it wait with the first paint until the start of this element: one layout instead of
 * several, without shifts.
 */
const paintBefore = (html: string): string =>
  `<link rel="expect" href="#${html.includes(` id="${REST_OF_PAGE}"`) ? REST_OF_PAGE : PAGE_STATE}" blocking="render">`;
/** The message for browsers without scripts. Pages of the app that the server renders have their own. */
const NOSCRIPT = /<noscript[\s\S]*?<\/noscript\s*>/;

/** The names in the manifest of what the app and a page without it start with. */
const APP_ENTRY = 'index.html';
const GUEST_SCRIPT = 'src/entry-guest.ts';

const STYLE = /<link rel="stylesheet"[^>]* href="([^"]+)">/;

/**
 * @param settings the web app's settings as JSON
 * @param read returns the text of a file by its URL
 */
export function readTemplate(
  html: string,
  settings: string,
  manifest: PageTemplate['manifest'],
  read: (url: string) => string,
): PageTemplate {
  const [link = '', url = ''] = STYLE.exec(html) ?? [];
  const script = `<script>__PORTAL__=${settings.replaceAll('<', '\\u003c')}</script>`;
  const [head = '', body = ''] = html.replace(APP_FILES, '').split('</head>');
  // After the style sheet: on pages that contain it inline, the two would compete for bandwidth, and the font is less
  // urgent.
  const [font = ''] = FONT.exec(head) ?? [];
  return {
    head: head.replace(font, '').replace(SETTINGS, () => script) + font,
    body,
    manifest,
    style: { link, url, text: url && read(url) },
  };
}

/** CSP sources of inline scripts. */
export const hashesOfScripts = (html: string): string[] =>
  [...html.matchAll(/<script(?![^>]*\s(?:src|type)=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, source = '']) => `'sha256-${createHash('sha256').update(source).digest('base64')}'`,
  );

interface GuestContent {
  title: string;
  /** Empty where the browser renders the page. */
  html: string;
  module: string | undefined;
  /** For search engines; empty for pages that they must not list. */
  description: string;
}

/** A page for visitors who are not signed in. */
export function buildGuestPage(
  { head, body, manifest }: PageTemplate,
  { title, html, module, description }: GuestContent,
): string {
  const about = description && `<meta name="description" content="${description}">`;
  return [
    head.replace(TITLE, () => `<title>${title}</title>`),
    about,
    guestScripts(manifest, module),
    '</head>',
    (html ? body.replace(NOSCRIPT, '') : body).replace(ROOT, () => `<div id="root">${html}</div>`),
  ].join('');
}

/** A page without the app, for any visitor. */
export function buildDocument(
  { head, body, manifest }: PageTemplate,
  { title, html, description, isSignedIn }: Omit<GuestContent, 'module'> & { isSignedIn: boolean },
): string {
  return [
    // The inline script leaves input to the page itself.
    head
      .replace('<html ', `<html data-document="${isSignedIn ? 'user' : 'guest'}" `)
      .replace(TITLE, () => `<title>${title}</title>`),
    description && `<meta name="description" content="${description}">`,
    '</head>',
    body.replace(ROOT, () => `<div id="root">${html}</div>${script(manifest[GUEST_SCRIPT]?.file)}${padding()}`),
  ].join('');
}

interface Content {
  title: string;
  html: string;
  state?: string;
  module?: string | undefined;
  /** From the visitor's cookie: the choice of this browser at its last visit. */
  scheme?: 'light' | 'dark';
  /** The browser has cached the style sheet; otherwise the page contains it and prefetches it for the next page. */
  hasStyle?: boolean;
}

/**
 * A page with the content rendered for one visitor. Scripts are last, so that the content is parsed first.
 * @param hasScripts false for a static page
 */
export function buildPage(
  { head, body, manifest, style }: PageTemplate,
  { title, html, state = '', module, scheme = 'light', hasStyle = true }: Content,
  hasScripts = true,
): string {
  const scripts = hasScripts ? buildScriptTags(manifest, module) : '';
  const styled = hasStyle ? head : head.replace(style.link, () => `<style>${style.text}</style>`);
  const fetched = hasStyle ? '' : `<link rel="prefetch" as="style" crossorigin href="${style.url}">`;
  return [
    styled.replace(TITLE, () => `<title>${title}</title>`).replace(SCHEME, `$1"${scheme}"`),
    paintBefore(html),
    '</head>',
    body
      .replace(NOSCRIPT, '')
      .replace(ROOT, () => `<div id="root">${html}</div>${state}${scripts}${fetched}${padding()}`),
  ].join('');
}

/** The length of a compressed page must not reveal whether the page contains a value in its URL. */
const padding = (): string =>
  `<!--${randomBytes(64)
    .toString('hex')
    .slice(0, randomBytes(1)[0]! % 128)}-->`;

/** The app's script, the modules to preload with it and with the screen, and which of these import no others. */
function appFiles(manifest: PageTemplate['manifest'], module: string | undefined) {
  const needed = new Map<string, BuiltFile>();
  const add = (name: string | undefined) => {
    const built = name === undefined ? undefined : manifest[name];
    if (!built || needed.has(name!)) return;
    needed.set(name!, built);
    built.imports?.forEach(add);
  };
  add(APP_ENTRY);
  const ofApp = needed.size;
  add(module);
  const standsAlone = ({ imports = [] }: BuiltFile, under: readonly string[]): boolean =>
    imports.every((name) => !under.includes(name) && standsAlone(manifest[name]!, [...under, name]));
  const [entry, ...more] = [...needed];
  return {
    entry: entry?.[1].file,
    more: more.map(([name, built], index) => ({
      file: built.file,
      standsAlone: index + 1 < ofApp && standsAlone(built, [name]),
    })),
  };
}

const script = (file: string | undefined, attributes = '') =>
  `<script type="module" crossorigin src="/${file}"${attributes}></script>`;
const preload = (file: string, attributes = '') =>
  `<link rel="modulepreload" crossorigin href="/${file}"${attributes}>`;

function guestScripts(manifest: PageTemplate['manifest'], module: string | undefined): string {
  const { entry, more } = appFiles(manifest, module);
  return more.map(({ file }) => preload(file)).join('') + script(entry);
}

const LOW = ' fetchpriority="low"';

/**
 * Runs the libraries, which import nothing else, in tasks of their own as soon as they arrive, so that the browser can
 * respond to input in between. Files that import each other must be started by the app's script.
 */
function buildScriptTags(manifest: PageTemplate['manifest'], module: string | undefined): string {
  const { entry, more } = appFiles(manifest, module);
  const files = more.map(({ file, standsAlone }) => (standsAlone ? script(file, ` async${LOW}`) : preload(file, LOW)));
  return files.join('') + script(entry, ` async${LOW}`);
}
