// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { pupilCalls } from '#contract/calls/pupils.ts';
import { inviteCalls } from '#contract/calls/invites.ts';
import { apiQuery } from '../shared/api-query.ts';
import type { RouteObject } from '../shared/router.ts';
import { fakeApi } from '../testing/fake-api.ts';
import { makeSchool, makeUser } from '../testing/make-school.ts';
import { signIn } from '../testing/render-in-app.tsx';
import type { AppRoute } from '../routes.tsx';
import { preloadLinks } from './preload-links.ts';
import { createQueryClient } from './query-client.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const REST_MS = 80;
const PUPIL = 'GET /v1/enterprises/7/readers/5';
const INVITES = 'GET /v1/enterprises/7/invites';

/** A page with links to a pupil, whose views are recorded, and to the login. */
function openPage() {
  signIn(makeUser());
  const sent = fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool() }),
    [INVITES]: () => ({ invites: [] }),
    [PUPIL]: () => ({ reader: {} }),
  });
  const loaded: string[] = [];
  const screen = (path: string, frame: AppRoute['frame']): RouteObject => {
    const handle: AppRoute = {
      path,
      frame,
      access: 'member',
      load: async () => {
        loaded.push(path);
        return { default: () => null };
      },
      queries: ({ schoolId }) => [
        apiQuery(pupilCalls.getPupil, { params: { id: schoolId, readerId: 5 } }),
        apiQuery(inviteCalls.listInvites, { params: { id: schoolId } }),
      ],
    };
    return { path, handle };
  };
  const page = document.createElement('main');
  page.innerHTML = '<a href="/pupils/5">Ada Baker</a><a href="/guest">Guest</a>';
  document.body.replaceChildren(page);
  preloadLinks([screen('/pupils/:id', 'main'), screen('/guest', 'plain')], createQueryClient(), page);
  const [pupil, guest] = [...page.children];
  const point = (link: Element | undefined, type: string, pointerType: string) =>
    link?.dispatchEvent(new PointerEvent(type, { pointerType, bubbles: true }));
  return { sent, loaded, pupil, guest, page, point, pass: (ms: number) => vi.advanceTimersByTimeAsync(ms) };
}

it('a mouse that rests on a link loads the screen’s script and only the calls that are not recorded as a view', async () => {
  const { sent, loaded, pupil, point, pass } = openPage();
  point(pupil, 'pointerover', 'mouse');
  await pass(REST_MS);
  expect(loaded).toEqual(['/pupils/:id']);
  expect(Object.keys(sent)).toContain(INVITES);
  expect(Object.keys(sent)).not.toContain(PUPIL);
});

it('a touch that may begin a scroll makes no call that is recorded as a view', async () => {
  const { sent, loaded, pupil, point, pass } = openPage();
  point(pupil, 'pointerdown', 'touch');
  await pass(REST_MS);
  expect(loaded).toEqual(['/pupils/:id']);
  expect(Object.keys(sent)).not.toContain(PUPIL);
});

it('a mouse that only passes over a link loads nothing', async () => {
  const { sent, loaded, pupil, page, point, pass } = openPage();
  point(pupil, 'pointerover', 'mouse');
  await pass(REST_MS - 1);
  point(page, 'pointerover', 'mouse');
  await pass(REST_MS);
  expect([loaded, sent]).toEqual([[], {}]);
});

it('a link to a page for guests loads nothing before the click', async () => {
  const { sent, loaded, guest, point, pass } = openPage();
  point(guest, 'pointerover', 'mouse');
  await pass(REST_MS);
  point(guest, 'pointerdown', 'touch');
  await pass(REST_MS);
  expect([loaded, sent]).toEqual([[], {}]);
});
