/*
 * Runs inside the page, before any other script is there: chooses light or dark, keeps the
 * shortcuts that are pressed meanwhile, fetches the scripts of the page that was asked for, and starts its first calls. The build puts it into index.html.
 */
import { preloadRequests } from './src/shell/preload-requests.ts';
import type { PreloadedResponse } from './src/shared/preloaded-responses.ts';
import { bufferShortcuts } from './src/shared/key-buffer.ts';
import { readSession } from './src/shared/session-storage.ts';
import { getPreference } from './src/shared/preferences.ts';

/** Written in by the build: files, and for each path (as a regular expression) which of them it needs. */
declare const PRELOADS: { files: string[]; paths: [pattern: string, needed: number[]][] };

const { pathname, search } = location;
const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light');

const session = readSession();
// At a link that signs somebody in or out, the stored session is not the one that counts.
if (session && !/^\/(logout|token|setup)(\/|$)/.test(pathname)) {
  bufferShortcuts();
  const { key } = session;
  window.preloadedResponses = Object.fromEntries(
    preloadRequests({ pathname, search }, session, getPreference('rows')).map((address) => {
      const headers = { Accept: 'application/json' };
      const first: PreloadedResponse = {
        key,
        // Read to its end here: an answer that no screen takes must not hold its connection.
        answer: fetch(address, { headers }).then(async (response) => {
          const text = await response.text();
          if (response.ok) first.text = text;
          return new Response(text, response);
        }),
      };
      // Whoever takes the answer hears of its failure; until then nobody needs to.
      first.answer.catch(() => undefined);
      return [address, first];
    }),
  );
}

const preloads = PRELOADS;
const needed = preloads.paths.find(([pattern]) => new RegExp(pattern).test(pathname))?.[1] ?? [];
for (const index of needed) {
  const href = preloads.files[index]!;
  const link = document.createElement('link');
  const isStyle = href.endsWith('.css');
  link.rel = isStyle ? 'preload' : 'modulepreload';
  if (isStyle) link.as = 'style';
  link.crossOrigin = '';
  link.href = href;
  document.head.append(link);
}
