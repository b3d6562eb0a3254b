/*
 * Runs inside the page, before anything of it is shown: chooses light or dark, hides what is for pages without script,
 * and keeps what is pressed, chosen and typed until the app can take it. The build puts it into index.html.
 */
import { keepEarlyInput } from './src/shared/early-input.ts';
import { keepScheme } from './src/shared/colour-scheme.ts';
import { bufferShortcuts } from './src/shared/key-buffer.ts';

const scheme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
document.documentElement.setAttribute('data-mantine-color-scheme', scheme);
keepScheme(scheme);
document.documentElement.dataset.script = '';
bufferShortcuts();
keepEarlyInput();
