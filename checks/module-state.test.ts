import { describe, expect, it } from 'vitest';
import { findModuleState, inspectModuleState } from './module-state.ts';

const PATH = 'web/src/a.ts';
const namesIn = (source: string) => findModuleState(PATH, source).map(({ name }) => name);

describe('findModuleState', () => {
  it.each([
    ['a variable', 'let kept: string | null = null;'],
    ['an exported variable', 'export let kept = 1;'],
    ['an empty map', 'const kept = new Map<string, string>();'],
    ['an empty set', 'export const kept = new Set();'],
    ['a map that is changed', "const kept = new Map([['a', 1]]);\nexport const f = () => kept.set('b', 2);"],
    ['a weak map', 'const kept = new WeakMap();'],
    ['a list that grows', 'const kept: string[] = [];\nexport const f = (name: string) => kept.push(name);'],
    ['an object that is assigned to', 'const kept = { name: null };\nexport function f() { kept.name = 1; }'],
    ['an object whose key is deleted', 'const kept = { a: 1 };\nexport function f() { delete kept.a; }'],
    [
      'an object that is merged into',
      'const kept = {};\nexport const f = (more: object) => Object.assign(kept, more);',
    ],
    ['a counter in an object', 'const kept = { count: 0 };\nexport const f = () => kept.count++;'],
    ['a store of a library', 'const kept = createStore(() => ({}));'],
    ['a query client', 'export const kept = new QueryClient();'],
    ['a memoised function', 'const kept = once(() => findUser());'],
  ])('finds %s', (_what, source) => {
    expect(namesIn(source)).toEqual(['kept']);
  });

  it.each([
    ['a constant list', "const NAMES = ['a', 'b'];\nexport const f = () => NAMES.map((name) => name);"],
    ['a constant set', "const NAMES = new Set(['a']);\nexport const f = (name: string) => NAMES.has(name);"],
    ['a variable in a function', 'export function f() { let count = 0; count += 1; return count; }'],
    ['a function', 'export const f = () => new Map();'],
    ['a type', 'export type A = Map<string, string>;'],
  ])('ignores %s', (_what, source) => {
    expect(namesIn(source)).toEqual([]);
  });
});

describe('inspectModuleState', () => {
  const inspect = (source: string, entries?: Record<string, string>, path = PATH) =>
    inspectModuleState({ [path]: source }, entries ? { [path]: entries } : {}).findings;
  const source = 'let kept = 1;';

  it('reports state that is not listed, with its line', () => {
    expect(inspect(`\n${source}`)).toEqual([
      'web/src/a.ts:2: kept outlives a log out: clear it in onSessionReset and list it in checks/exceptions.json',
    ]);
  });

  it('accepts state that is listed with a reason', () => {
    expect(inspect(source, { kept: 'A count, without names.' })).toEqual([]);
    expect(inspect(source, { kept: 'none' })).toHaveLength(1);
  });

  it('accepts state that is listed as cleared only where the file registers a reset', () => {
    expect(inspect(source, { kept: 'reset' })).toHaveLength(1);
    expect(inspect(`${source} onSessionReset(() => (kept = 0));`, { kept: 'reset' })).toEqual([]);
  });

  it('reports an entry whose state is gone', () => {
    expect(inspect('export const a = 1;', { kept: 'A count, without names.' })).toHaveLength(1);
    expect(inspectModuleState({}, { [PATH]: { kept: 'A count, without names.' } }).findings).toHaveLength(1);
  });

  it.each([
    ['web/src/features/a/model/b.tsx', 1],
    ['web/inline-script.ts', 1],
    ['web/src/a.test.ts', 0],
    ['web/src/testing/a.ts', 0],
    ['web/build/a.ts', 0],
    ['server/src/a.ts', 0],
  ])('inspects %s: %i', (path, count) => {
    expect(inspect(source, undefined, path)).toHaveLength(count);
  });
});
