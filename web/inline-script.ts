/*
 * Runs inside the page before anything is painted: chooses light or dark, hides what is for pages without scripts,
 * listens for shortcuts, and records early input until the app has started. The build puts it into index.html.
 */
import { recordEarlyInput } from './src/shared/early-input.ts';
import { watchScripts } from './src/shared/script-failure.ts';
import { listenForShortcuts } from './src/shared/shortcuts.ts';

/** Stores the preferred colour scheme in a cookie, because the server cannot know it otherwise. */
function storeScheme(scheme: 'light' | 'dark'): void {
  if (document.cookie.split('; ').includes(`scheme=${scheme}`)) return;
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `scheme=${scheme}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`;
}

const scheme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
const root = document.documentElement;
// Reading a cookie for the first time is slow on an old tablet, so it is read only if the page has the other scheme.
if (root.getAttribute('data-scheme') !== scheme) {
  root.setAttribute('data-scheme', scheme);
  storeScheme(scheme);
}
// A browser below the floor (index.html) shows the page as it works without the app.
if (!window.isTooOld) {
  root.dataset.script = '';
  // A page without the app has neither shortcuts nor anything that replays input.
  if (root.dataset.document === undefined) {
    listenForShortcuts();
    recordEarlyInput();
  } else watchScripts();
}
