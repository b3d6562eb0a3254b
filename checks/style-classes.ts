import { posix } from 'node:path';

/** The text of each file by its path in the project. */
export type Files = Readonly<Record<string, string>>;

/** The sheet of the classes that every screen may name in `className="…"`. */
export const SHARED_SHEET = 'web/src/ui/base.css';

const MODULE_IMPORT = /import (\w+) from '([^']+\.module\.css)'/g;

/** The classes that a style sheet defines. */
export function listClasses(sheet: string): Set<string> {
  const own = sheet.replaceAll(/\/\*.*?\*\/|:global\([^)]*\)+/gs, '');
  return new Set([...own.matchAll(/\.([a-zA-Z][\w-]*)(?=[^{};]*\{)/g)].map(([, name]) => name!));
}

/**
 * Finds classes of a CSS module that no file uses, uses of a class that its module does not have, and shared classes
 * (`className="soft"`) that `base.css` does not have. Returns a sentence for each, with the path.
 */
export function findLooseClasses(files: Files): string[] {
  const used = new Map<string, Set<string>>();
  const loose: string[] = [];
  const shared = listClasses(files[SHARED_SHEET] ?? '');
  for (const [path, source] of Object.entries(files)) {
    if (!path.endsWith('.tsx')) continue;
    for (const [, names] of source.matchAll(/\bclassName="([^"]*)"/g))
      for (const name of names!.split(' '))
        if (!shared.has(name)) loose.push(`${path}: ${SHARED_SHEET} has no class ${name}`);
    for (const [, variable, specifier] of source.matchAll(MODULE_IMPORT)) {
      const module = posix.join(posix.dirname(path), specifier!);
      const classes = used.get(module) ?? new Set();
      used.set(module, classes);
      // A class named by a value: any of them.
      if (source.includes(`${variable}[`)) for (const name of listClasses(files[module] ?? '')) classes.add(name);
      for (const [, name] of source.matchAll(new RegExp(`(?<![\\w./])${variable}\\.(\\w+)`, 'g'))) classes.add(name!);
    }
  }
  for (const [path, sheet] of Object.entries(files)) {
    if (!path.endsWith('.module.css')) continue;
    const classes = listClasses(sheet);
    const names = used.get(path) ?? new Set();
    loose.push(
      ...[...classes].filter((name) => !names.has(name)).map((name) => `${path}: no file uses the class ${name}`),
    );
    loose.push(
      ...[...names]
        .filter((name) => !classes.has(name))
        .map((name) => `${path}: has no class ${name}, which a file uses`),
    );
  }
  return loose.toSorted();
}
