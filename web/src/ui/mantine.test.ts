import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const WEB = resolve(import.meta.dirname, '..');
const MANTINE = resolve(import.meta.dirname, '../../../node_modules/@mantine/core/esm');
/** Not of a component. */
const OF_THE_WHOLE = ['baseline', 'global'];
/** Come with components that are used, and are not used themselves. */
const UNUSED_PARTS = ['CheckboxCard', 'CheckboxIndicator', 'RadioCard', 'RadioIndicator'];

const styled = new Set<string>();
const seen = new Set<string>();

/** Follows a file of Mantine to those it imports, and notes whose styles they bring class names of. */
function follow(file: string): void {
  if (seen.has(file) || !existsSync(file)) return;
  seen.add(file);
  const style = /^(\w+)\.module\.mjs$/.exec(basename(file))?.[1];
  if (style) styled.add(style);
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/from "(\.[^"]+)"/g))
    follow(join(dirname(file), path));
}

it('mantine.css has the styles of the used components of Mantine, and of no others', () => {
  const sources = globSync('**/*.{ts,tsx}', { cwd: WEB }).map((name) => readFileSync(join(WEB, name), 'utf8'));
  const used = new Set(
    sources.flatMap((text) =>
      [...text.matchAll(/import \{([^}]+)\} from '@mantine\/core'/g)].flatMap(([, names = '']) =>
        names.split(',').map((name) => name.trim()),
      ),
    ),
  );
  const files = globSync('components/**/*.mjs', { cwd: MANTINE });
  for (const name of used) {
    const file = files.find((path) => basename(path) === `${name}.mjs`);
    if (file) follow(join(MANTINE, file));
  }
  const imported = [
    ...readFileSync(join(import.meta.dirname, 'mantine.css'), 'utf8').matchAll(/styles\/([\w-]+)\.layer\.css/g),
  ].map(([, name = '']) => name);
  expect(styled.size).toBeGreaterThan(5);
  expect(imported.filter((name) => !OF_THE_WHOLE.includes(name)).toSorted()).toEqual(
    [...styled].filter((name) => !UNUSED_PARTS.includes(name)).toSorted(),
  );
});
