import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import manifest from '../../package.json' with { type: 'json' };

/**
 * Puts the build's hash into the page and into `version.json`, so that a page can detect a newer build. The file also
 * names the release.
 */
export function versionFile(): Plugin {
  let hash = '';
  return {
    name: 'version-file',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        // File names contain the hash of their content. The page itself contains the inline script.
        const names = Object.keys(bundle ?? {})
          .filter((name) => !name.endsWith('.html'))
          .sort();
        hash = createHash('sha256').update(names.join('\n')).update(html).digest('hex').slice(0, 20);
        return { html, tags: [{ tag: 'meta', attrs: { name: 'version', content: hash }, injectTo: 'head' }] };
      },
    },
    writeBundle({ dir = '' }) {
      writeFileSync(join(dir, 'version.json'), JSON.stringify({ hash, version: manifest.version }));
    },
  };
}
