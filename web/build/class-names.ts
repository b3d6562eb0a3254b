import { createHash } from 'node:crypto';
import { join, relative } from 'node:path';
import type { Plugin } from 'vite';

const SOURCES = join(import.meta.dirname, '../src');
const LENGTH = 4;

/**
 * The name of a CSS module's class or animation in the built pages, which have thousands of them. It begins with a
 * capital, so that it is never a class of base.css.
 *
 * @param module below `web/src`, such as `ui/Card.module.css`
 */
export function shortClassName(name: string, module: string): string {
  const digest = createHash('sha256').update(`${module} ${name}`).digest('base64url');
  const [short = ''] = new RegExp(`[A-Z].{${LENGTH - 1}}`).exec(digest) ?? [];
  return short;
}

/** Gives the classes of CSS modules short names in a build. Fails if two have the same. */
export function classNames(): Plugin {
  const owners = new Map<string, string>();
  return {
    name: 'class-names',
    apply: 'build',
    config: () => ({
      css: {
        modules: {
          generateScopedName(name, file) {
            const module = relative(SOURCES, file);
            const short = shortClassName(name, module);
            const owner = `${name} of ${module}`;
            const other = owners.get(short) ?? owner;
            if (other !== owner) throw new Error(`Rename the class ${owner}: its short name is that of ${other}.`);
            owners.set(short, owner);
            return short;
          },
        },
      },
    }),
  };
}
