/*
 * Runs inside the page, before anything of it is shown: chooses light or dark, hides what is for pages without script,
 * and keeps what is pressed, chosen and typed until the app can take it. What it says of presses holds as long as the page.
 * The build puts it into index.html.
 */
import { keepEarlyInput } from './src/shared/early-input.ts';
import { keepScheme } from './src/shared/colour-scheme.ts';
import { bufferShortcuts } from './src/shared/key-buffer.ts';
import { retargetShiftedClicks } from './src/shared/retarget-clicks.ts';

const scheme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
const root = document.documentElement;
// The first look at a cookie takes an old tablet some hundredths of a second: only where the page comes in the other scheme.
if (root.getAttribute('data-mantine-color-scheme') !== scheme) {
  root.setAttribute('data-mantine-color-scheme', scheme);
  keepScheme(scheme);
}
root.dataset.script = '';
bufferShortcuts();
// Before what keeps them.
retargetShiftedClicks();
keepEarlyInput();
