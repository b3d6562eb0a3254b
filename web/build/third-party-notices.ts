import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Plugin } from 'vite';

const PACKAGE_FOLDER = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;
const LICENCE_FILE = /^(licen[cs]e|copying|notice)/i;

/** Describes the packages to which these files belong, with the texts of their licences. */
export function formatNotices(paths: Iterable<string>): string {
  const folders = new Set([...paths].flatMap((path) => PACKAGE_FOLDER.exec(path.replaceAll('\\', '/')) ?? []));
  const notices = [...folders].map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      name: string;
      version: string;
      license?: string;
    };
    if (!license) throw new Error(`The package ${name} names no licence.`);
    const files = readdirSync(folder).filter((file) => LICENCE_FILE.test(file));
    const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
    return [`${name} ${version} (${license})`, ...texts].join('\n\n');
  });
  return `${[...new Set(notices)].sort().join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

/** Writes the notices of the packages and fonts that browsers download, which their licences require. */
export function thirdPartyNotices(): Plugin {
  let root = '';
  return {
    name: 'third-party-notices',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    configResolved: (config) => void (root = config.root),
    generateBundle(_options, bundle) {
      // Fonts are files to which style sheets refer.
      const assets = Object.values(bundle).flatMap((output) =>
        output.type === 'asset' ? output.originalFileNames : [],
      );
      const modules = [...this.getModuleIds()].filter((id) => !id.startsWith('\0'));
      this.emitFile({
        type: 'asset',
        fileName: 'third-party-notices.txt',
        source: formatNotices([...modules, ...assets.map((name) => resolve(root, name))]),
      });
    },
  };
}
