import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findLooseClasses, SHARED_SHEET } from './style-classes.ts';

const SHARED = { [SHARED_SHEET]: '.soft {\n}\n@layer a {\n  .flat {\n  }\n}' };
const sheet = (text: string) => ({ ...SHARED, 'web/src/ui/Box.module.css': text });
const importer = (text: string) => ({ 'web/src/a/A.tsx': `import css from '../ui/Box.module.css';\n${text}` });

describe('findLooseClasses', () => {
  it('finds a class of a module that no file uses', () => {
    expect(findLooseClasses({ ...sheet('.box .line > p {\n}\n.box {\n}'), ...importer('css.box') })).toEqual([
      'web/src/ui/Box.module.css: no file uses the class line',
    ]);
  });

  it('finds a use of a class that the module does not have', () => {
    expect(findLooseClasses({ ...sheet('.box {\n}'), ...importer('css.box + css.line') })).toEqual([
      'web/src/ui/Box.module.css: has no class line, which a file uses',
    ]);
  });

  it('finds a shared class that does not exist', () => {
    expect(findLooseClasses({ ...SHARED, 'web/src/A.tsx': '<p className="soft flt" />' })).toEqual([
      `web/src/A.tsx: ${SHARED_SHEET} has no class flt`,
    ]);
  });

  it.each([
    ['classes that several files use', '.box {\n}\n.line:hover {\n}', 'css.box + css.line'],
    ['classes chosen by a value', '.box {\n}\n.line {\n}', 'css[kind]'],
    [
      'decimals, comments and classes of the page',
      '/* .gone { } */\n:global(.dark) .box {\n  top: .5rem;\n}',
      'css.box',
    ],
  ])('accepts %s', (_what, text, use) => {
    expect(findLooseClasses({ ...sheet(text), ...importer(use) })).toEqual([]);
  });
});

it('every class of a style sheet is used, and every used class exists', () => {
  const paths = globSync('web/src/**/*.{css,tsx}').filter((path) => !path.includes('.test.'));
  expect(paths.length).toBeGreaterThan(200);
  expect(findLooseClasses(Object.fromEntries(paths.map((path) => [path, readFileSync(path, 'utf8')])))).toEqual([]);
});
