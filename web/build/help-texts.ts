import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Plugin } from 'vite';
import { PICTURES, readHelp, VIDEOS } from '../../content/help/read-help.ts';
import { readMarkdown } from '../../content/read-markdown.ts';

const CONTENT = /\/content\/.*\.(md\?blocks|json\?(help|screens))$/;

/**
 * Reads Markdown at build time, so that browsers do not have to: `….md?blocks` is a `MarkdownDocument`,
 * `help/contents.json?help` is the whole help with the URLs of its pictures and videos (`Help`), and
 * `help/contents.json?screens` maps the route of each screen to the URL of the guide's section about it.
 */
export function helpTexts(): Plugin {
  return {
    name: 'help-texts',
    enforce: 'pre',
    load(id) {
      if (!CONTENT.test(id)) return null;
      const file = id.slice(0, id.indexOf('?'));
      this.addWatchFile(file);
      if (file.endsWith('.md')) return asModule(JSON.stringify(readMarkdown(readFileSync(file, 'utf8'))));
      if (id.endsWith('?screens')) return asModule(JSON.stringify(sectionOfScreens()));
      return asModule(...helpModule((path) => this.addWatchFile(path)));
    },
  };
}

const asModule = (value: string, imports: readonly string[] = []) => ({
  code: [...imports, `export default ${value};`].join('\n'),
  moduleType: 'js' as const,
  moduleSideEffects: false,
});

/** The value as an expression, with the imports that provide the URLs of its files. */
function helpModule(watch: (path: string) => void): [value: string, imports: string[]] {
  const imports: string[] = [];
  const addressOf = (path: string) => {
    imports.push(`import file${imports.length} from ${JSON.stringify(`${path}?url`)};`);
    return `file${imports.length - 1}`;
  };
  const folder = join(PICTURES, '..');
  for (const part of ['guide', 'faq'])
    for (const name of readdirSync(join(folder, part))) watch(join(folder, part, name));
  const pictures = listFiles(PICTURES, '.png').map((path) => {
    const { width, height } = sizeOfPng(path);
    return `${JSON.stringify(basename(path))}: { src: ${addressOf(path)}, width: ${width}, height: ${height} }`;
  });
  const videos = listFiles(VIDEOS, '.webm').map((path) => {
    const stem = path.slice(0, -'.webm'.length);
    const [webm, mp4, captions, poster] = [path, `${stem}.mp4`, `${stem}.vtt`, `${stem}.png`].map(addressOf);
    watch(`${stem}.vtt`);
    const transcript = JSON.stringify(linesOfCaptions(readFileSync(`${stem}.vtt`, 'utf8')));
    return `${JSON.stringify(basename(stem))}: { webm: ${webm}, mp4: ${mp4}, captions: ${captions}, poster: ${poster}, transcript: ${transcript} }`;
  });
  const { tabs, faqSets, videoSets } = readHelp();
  const value = `{ ...${JSON.stringify({ tabs, faqSets, videoSets })}, pictures: { ${pictures.join(', ')} }, videos: { ${videos.join(', ')} } }`;
  return [value, imports];
}

/** The texts of a WebVTT file, one per caption. */
const linesOfCaptions = (webVtt: string): string[] =>
  webVtt
    .split('\n\n')
    .slice(1)
    .map((cue) => cue.trim().split('\n').slice(1).join(' '));

const sectionOfScreens = (): Record<string, string> =>
  Object.fromEntries(
    readHelp().tabs.flatMap(({ id: tab, items }) =>
      items.flatMap(({ id, screens }) => screens.map((screen) => [screen, `/userguide/${tab}/${id}`] as const)),
    ),
  );

const listFiles = (folder: string, ending: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith(ending))
        .sort()
        .map((name) => join(folder, name))
    : [];

/** Width and height of a PNG from its header, halved because pictures have two pixels per CSS pixel. */
function sizeOfPng(path: string): { width: number; height: number } {
  const head = readFileSync(path).subarray(16, 24);
  return { width: Math.round(head.readUInt32BE(0) / 2), height: Math.round(head.readUInt32BE(4) / 2) };
}
