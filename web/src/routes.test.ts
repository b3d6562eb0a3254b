import { readFileSync } from 'node:fs';
import { matchPath } from 'react-router';
import { expect, it } from 'vitest';
import { paths } from './paths.ts';
import { screens } from './routes.tsx';

/** The server answers it itself, and leads on to a provider. */
const SERVED = 'signIn';

const built = [
  ...Object.entries(paths)
    .filter(([name]) => name !== SERVED)
    .map(
      ([name, build]) =>
        [
          name,
          (build as (...ids: string[]) => string)(...[':one', ':two'].slice(0, build.length)).split('?')[0]!,
        ] as const,
    ),
  ['pupil outside a class', paths.pupil(':one')] as const,
  ['pupilBooks outside a class', paths.pupilBooks(':one')] as const,
  ['newSubjectRequest of a kind', paths.newSubjectRequest({ kind: 'access' })] as const,
];

it.each(built)('the path of %s belongs to a screen: %s', (_name, address) => {
  expect(screens.some(({ path }) => path !== '*' && matchPath(path, address))).toBe(true);
});

it('has a path for every screen', () => {
  const unreachable = screens.filter(
    ({ path }) => path !== '*' && !built.some(([, address]) => matchPath(path, address)),
  );
  expect(unreachable).toEqual([]);
});

it('names each path once', () => {
  expect(new Set(screens.map(({ path }) => path)).size).toBe(screens.length);
});

it('has a description for each page that robots.txt allows, and for no other', () => {
  const robots = readFileSync(new URL('../public/robots.txt', import.meta.url), 'utf8');
  expect(robots).toMatch(/^Disallow: \/$/m);
  const opened = [...robots.matchAll(/^Allow: (\S+)\$$/gm)].map(([, path]) => path);
  expect(opened).toEqual(screens.filter(({ description }) => description).map(({ path }) => path));
});

it('allows search engines no page of a signed-in user', () => {
  const found = screens.filter(({ description }) => description);
  expect(found.every(({ access }) => access === 'guest' || access === 'open')).toBe(true);
});
