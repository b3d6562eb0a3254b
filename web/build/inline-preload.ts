import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build, type Plugin, type Rolldown } from 'vite';

type Bundle = Rolldown.OutputBundle;
type Chunk = Rolldown.OutputChunk;

/** Puts `inline-preload.ts` into index.html, told which files each path of the route table needs. */
export function inlinePreload(): Plugin {
  let root = '';
  return {
    name: 'inline-preload',
    apply: 'build',
    configResolved(config) {
      root = config.root;
    },
    transformIndexHtml: {
      order: 'post',
      async handler(html, { bundle }) {
        if (!bundle) return html;
        const script = await compile(join(root, 'inline-preload.ts'), preloads(root, bundle));
        return html.replace('<!--inline-preload-->', () => `<script>${script}</script>`);
      },
    },
  };
}

async function compile(entry: string, table: object): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    define: { PRELOADS: JSON.stringify(table) },
    build: {
      write: false,
      lib: { entry, formats: ['iife'], name: 'inlinePreload', fileName: 'inline-preload' },
      minify: true,
    },
  });
  const [output] = Array.isArray(result) ? result : [result];
  if (!output || !('output' in output)) throw new Error('inline-preload.ts gave no script');
  return output.output[0].code.trim().replaceAll('</', '<\\/');
}

/** A screen of the route table, up to the next one. */
const SCREEN = /\b(?:plain|main)\(\s*'([^']+)'((?:(?!\b(?:plain|main)\()[^])*)/g;
const PAGE = /import\('([^']+)'\)/;

function preloads(root: string, bundle: Bundle) {
  const source = join(root, 'src/routes.tsx');
  const text = readFileSync(source, 'utf8');
  const table = [...text.matchAll(SCREEN)].map(([, path = '', rest = '']) => ({ path, page: PAGE.exec(rest)?.[1] }));
  if (table.length === 0) throw new Error('No screen could be read from routes.tsx');
  const pages = Object.values(bundle).filter((file): file is Chunk => file.type === 'chunk' && file.isDynamicEntry);
  const entry = Object.values(bundle).find((file): file is Chunk => file.type === 'chunk' && file.isEntry);
  const early = new Set(entry ? filesOf(entry, bundle) : []);
  const files: string[] = [];
  const paths = table
    // Screens without a page of their own share one so small that it needs no early start.
    .flatMap(({ path, page }) => (page && path !== '*' ? [{ path, page: resolve(source, '..', page) }] : []))
    .map(({ path, page }) => {
      const chunk = pages.find((candidate) => candidate.facadeModuleId === page);
      if (!chunk) throw new Error(`routes.tsx names ${page}, which the build does not have`);
      const needed = filesOf(chunk, bundle).filter((file) => !early.has(file));
      return [
        patternOf(path),
        needed.map((file) => (files.includes(file) ? files.indexOf(file) : files.push(file) - 1)),
      ] as const;
    });
  return { files: files.map((file) => `/${file}`), paths };
}

/** The chunk's file, those it imports, and their styles. */
function filesOf(chunk: Chunk, bundle: Bundle, seen = new Set<string>()): string[] {
  if (seen.has(chunk.fileName)) return [];
  seen.add(chunk.fileName);
  for (const name of chunk.imports) {
    const imported = bundle[name];
    if (imported?.type === 'chunk') filesOf(imported, bundle, seen);
  }
  for (const style of chunk.viteMetadata?.importedCss ?? []) seen.add(style);
  return [...seen];
}

const patternOf = (path: string): string => `^${path.replace(/\/:\w+\?/g, '(/[^/]+)?').replace(/:\w+/g, '[^/]+')}/?$`;
