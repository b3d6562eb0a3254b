/*
 * Runs inside the page before anything is shown: chooses light or dark, hides what is for pages without script, listens
 * for shortcuts, and keeps presses and text until the app has started. The build puts it into index.html.
 */
import { keepEarlyInput } from './src/shared/early-input.ts';
import { keepScheme } from './src/shared/colour-scheme.ts';
import { listenForShortcuts } from './src/shared/shortcuts.ts';

const scheme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
const root = document.documentElement;
// The first look at a cookie takes an old tablet some hundredths of a second: only where the page comes in the other scheme.
if (root.getAttribute('data-mantine-color-scheme') !== scheme) {
  root.setAttribute('data-mantine-color-scheme', scheme);
  keepScheme(scheme);
}
root.dataset.script = '';
listenForShortcuts();
keepEarlyInput();
