import { createHash, randomBytes } from 'node:crypto';

/** A file of the browser's build, as Vite's manifest tells of it. */
interface BuiltFile {
  file: string;
  /** Other entries of the manifest that it cannot do without. */
  imports?: string[];
  isEntry?: boolean;
}

/** The built page, taken apart. */
export interface PageTemplate {
  /** What stands in the head of every page, without its title and without the app's scripts. */
  head: string;
  body: string;
  manifest: Record<string, BuiltFile>;
  style: Style;
}

/** The one style sheet of the app. */
interface Style {
  /** The element that fetches it; empty where there is none. */
  link: string;
  /** Its address, which is another for each build. */
  address: string;
  text: string;
}

const SETTINGS = '<!--portal-config-->';
const TITLE = /<title>.*?<\/title>/;
const APP_FILES = /\s*<(?:script type="module"[^>]*><\/script>|link rel="modulepreload"[^>]*>)/g;
const FONT = /\s*<link\s[^>]*as="font"[^>]*>/;
const SCHEME = /(data-mantine-color-scheme=)"light"/;
const ROOT = '<div id="root"></div>';
/**
 * Browsers that support it paint nothing before the content is parsed: one layout instead of several, and nothing moves.
 * It names what follows the content, because browsers wait for the start of the element, not for its end.
 */
const PAINT_WHOLE_PAGE = '<link rel="expect" href="#page-state" blocking="render">';
/** What the page without content says to browsers without script. */
const NOSCRIPT = /<noscript[\s\S]*?<\/noscript\s*>/;

const STYLE = /<link rel="stylesheet"[^>]* href="([^"]+)">/;

/**
 * @param settings the web app's settings as JSON
 * @param read the text of a file by its address
 */
export function readTemplate(
  html: string,
  settings: string,
  manifest: PageTemplate['manifest'],
  read: (address: string) => string,
): PageTemplate {
  const [link = '', address = ''] = STYLE.exec(html) ?? [];
  const script = `<script>__PORTAL__=${settings.replaceAll('<', '\\u003c')}</script>`;
  const [head = '', body = ''] = html.replace(APP_FILES, '').split('</head>');
  // Behind the style sheet: where a page brings that in itself, they would share the line, and the font has time.
  const [font = ''] = FONT.exec(head) ?? [];
  return {
    head: head.replace(font, '').replace(SETTINGS, () => script) + font,
    body,
    manifest,
    style: { link, address, text: address && read(address) },
  };
}

/** CSP sources of the scripts that stand in the text themselves. */
export const hashesOfScripts = (html: string): string[] =>
  [...html.matchAll(/<script(?![^>]*\s(?:src|type)=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, source = '']) => `'sha256-${createHash('sha256').update(source).digest('base64')}'`,
  );

/** The page that is the same for all guests, with the files of the screen that is asked for. */
export function guestPage(
  { head, body, manifest }: PageTemplate,
  module: string | undefined,
  description = '',
): string {
  const about = description && `<meta name="description" content="${description}">`;
  return `${head}${about}${guestScripts(manifest, module)}</head>${body}`;
}

interface Content {
  title: string;
  html: string;
  state?: string;
  module?: string | undefined;
  /** As the visitor's cookie has it: this browser's choice when it was last here. */
  scheme?: 'light' | 'dark';
  /** The browser has the style sheet; otherwise the page brings it, and has it fetched for the next one. */
  hasStyle?: boolean;
}

/**
 * A page with what was drawn for one visitor. The scripts come last: what is read comes first.
 * @param hasScripts false for a page that shall stay as it is
 */
export function drawnPage(
  { head, body, manifest, style }: PageTemplate,
  { title, html, state = '', module, scheme = 'light', hasStyle = true }: Content,
  hasScripts = true,
): string {
  const scripts = hasScripts ? drawnScripts(manifest, module) : '';
  const styled = hasStyle ? head : head.replace(style.link, () => `<style>${style.text}</style>`);
  const fetched = hasStyle ? '' : `<link rel="prefetch" as="style" crossorigin href="${style.address}">`;
  // The length of a compressed page must not tell whether what an address asks for is among what the page shows.
  const padding = `<!--${randomBytes(64)
    .toString('hex')
    .slice(0, randomBytes(1)[0]! % 128)}-->`;
  return [
    styled.replace(TITLE, () => `<title>${title}</title>`).replace(SCHEME, `$1"${scheme}"`),
    PAINT_WHOLE_PAGE,
    '</head>',
    body
      .replace(NOSCRIPT, '')
      .replace(ROOT, () => `<div id="root">${html}</div>${state}${scripts}${fetched}${padding}`),
  ].join('');
}

/** The app's script, what it and the screen need so that none has to be found in another, and which of these need no other. */
function appFiles(manifest: PageTemplate['manifest'], module: string | undefined) {
  const needed = new Map<string, BuiltFile>();
  const add = (name: string | undefined) => {
    const built = name === undefined ? undefined : manifest[name];
    if (!built || needed.has(name!)) return;
    needed.set(name!, built);
    built.imports?.forEach(add);
  };
  add(Object.keys(manifest).find((name) => manifest[name]?.isEntry));
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
 * What of the app's own stands alone, its libraries, runs as soon as it is there, apart from the rest: in between the
 * browser answers what is pressed. Files that import each other must be begun at the app's script.
 */
function drawnScripts(manifest: PageTemplate['manifest'], module: string | undefined): string {
  const { entry, more } = appFiles(manifest, module);
  const files = more.map(({ file, standsAlone }) => (standsAlone ? script(file, ` async${LOW}`) : preload(file, LOW)));
  return files.join('') + script(entry, ` async${LOW}`);
}
