import { type ReactNode, Suspense, use } from 'react';
import { expect, it, vi } from 'vitest';
import { renderPage } from './entry-server.tsx';
import { screens } from './routes.tsx';
import { makeSchool, makeUser } from './testing/make-school.ts';

/** Renders a page in place of the screen at the path. */
function renderInPlaceOf(path: string, Page: () => ReactNode) {
  vi.spyOn(
    screens.find((screen) => screen.path === path)!,
    'load',
  ).mockResolvedValue({ default: Page });
  const fetch = async (address: string) =>
    Response.json(address === '/v1/users/me' ? { user: makeUser() } : { enterprise: makeSchool() });
  return renderPage({ url: path, cookies: '', fetch, now: Date.parse('2026-11-18T12:00:00Z') });
}

const fail = (): never => {
  throw new Error('No figures');
};
const Failing = () => fail();
const never = new Promise<string>(() => undefined);
const Waiting = () => use(never);

const InBoundary = ({ children }: { children: ReactNode }) => (
  <main>
    <h1>Chart</h1>
    <Suspense fallback={null}>{children}</Suspense>
  </main>
);

it.each([
  ['an error within a Suspense boundary', '/videoguides', () => <InBoundary>{<Failing />}</InBoundary>, 'No figures'],
  ['an error outside one', '/templates', Failing, 'No figures'],
  [
    'a part that suspends',
    '/contact',
    () => <InBoundary>{<Waiting />}</InBoundary>,
    'A part of the page suspended on the server.',
  ],
])('leaves a page with %s to the browser, and reports the reason', async (_what, path, Page, message) => {
  const page = await renderInPlaceOf(path, Page);
  expect(page).toMatchObject({ kind: 'page', html: '', title: expect.stringMatching(/./) as string });
  expect(page).toHaveProperty('error.message', message);
  expect(page).toHaveProperty('state', expect.stringContaining('Oak Row'));
});
