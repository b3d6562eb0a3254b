import type { QueryClient } from '@tanstack/react-query';
import { matchRoutes, type RouteObject } from '../shared/router.ts';
import type { AppRoute } from '../routes.tsx';
import { isRecorded } from '../shared/api-query.ts';
import { loadScreen } from './load-screen.ts';

/** A pointer that only passes over a link does not rest on it this long. */
const REST_MS = 80;

async function preload(link: HTMLAnchorElement, routes: RouteObject[], client: QueryClient): Promise<void> {
  const match = matchRoutes(routes, { pathname: link.pathname })?.at(-1);
  const screen = match?.route.handle as AppRoute | undefined;
  if (!match || screen?.frame !== 'main') return;
  await Promise.all([
    screen.load(),
    loadScreen(
      screen,
      client,
      { request: new Request(link.href), params: match.params },
      (query) => !isRecorded(query),
    ),
  ]);
}

/** The link under the pointer that leads to another screen of the app. */
function linkAt(target: EventTarget | null): HTMLAnchorElement | null {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null;
  return !link || link.target || link.origin !== location.origin || link.pathname === location.pathname ? null : link;
}

/**
 * Fetches the script and the first queries of a screen before the click on a link to it: when a mouse rests on the
 * link, or when a finger or pen touches it. Queries that are recorded as a view of pupils' data wait for the click.
 */
export function preloadLinks(routes: RouteObject[], client: QueryClient, page: GlobalEventHandlers = document): void {
  let timer = 0;
  // A failure or a redirect happens again when the link is followed.
  const load = (link: HTMLAnchorElement) => void preload(link, routes, client).catch(() => undefined);
  page.addEventListener('pointerover', ({ target, pointerType }) => {
    clearTimeout(timer);
    const link = pointerType === 'mouse' && linkAt(target);
    if (link) timer = window.setTimeout(() => load(link), REST_MS);
  });
  page.addEventListener('pointerdown', ({ target, button }) => {
    clearTimeout(timer);
    const link = button === 0 && linkAt(target);
    if (link) load(link);
  });
}
