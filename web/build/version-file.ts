import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

/** Names the build in its page and in `version.json`, so that a page can see that a newer one is there. */
export function versionFile(): Plugin {
  let hash = '';
  return {
    name: 'version-file',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        // The files' names carry the hashes of what is in them; the page itself holds the inline script.
        const names = Object.keys(bundle ?? {})
          .filter((name) => !name.endsWith('.html'))
          .sort();
        hash = createHash('sha256').update(names.join('\n')).update(html).digest('hex').slice(0, 20);
        return { html, tags: [{ tag: 'meta', attrs: { name: 'version', content: hash }, injectTo: 'head' }] };
      },
    },
    writeBundle({ dir = '' }) {
      writeFileSync(join(dir, 'version.json'), JSON.stringify({ hash }));
    },
  };
}
