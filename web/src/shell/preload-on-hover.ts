import type { QueryClient } from '@tanstack/react-query';
import { matchRoutes, type RouteObject } from 'react-router';
import type { AppRoute } from '../routes.tsx';
import { loadScreen } from './load-screen.ts';

/** A pointer that only passes over a link does not stay as long. */
const REST_MS = 80;

async function preload(link: HTMLAnchorElement, routes: RouteObject[], client: QueryClient): Promise<void> {
  const match = matchRoutes(routes, { pathname: link.pathname })?.at(-1);
  const screen = match?.route.handle as AppRoute | undefined;
  if (!match || screen?.frame !== 'main') return;
  await Promise.all([
    screen.load(),
    loadScreen(screen, client, { request: new Request(link.href), params: match.params }),
  ]);
}

/** Fetches the script and the first queries of a screen as a mouse comes to rest on a link to it: a click finds them there. */
export function preloadOnHover(routes: RouteObject[], client: QueryClient): void {
  let timer = 0;
  document.addEventListener('pointerover', ({ target, pointerType }) => {
    clearTimeout(timer);
    if (pointerType !== 'mouse' || !(target instanceof Element)) return;
    const link = target.closest<HTMLAnchorElement>('a[href]');
    if (!link || link.target || link.origin !== location.origin || link.pathname === location.pathname) return;
    // What fails, or leads elsewhere, does so again when it is clicked.
    timer = window.setTimeout(() => void preload(link, routes, client).catch(() => undefined), REST_MS);
  });
}
