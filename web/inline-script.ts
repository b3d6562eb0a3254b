/*
 * Runs inside the page, before anything of it is shown: chooses light or dark, hides what is for pages without script,
 * and keeps what is pressed, chosen and typed until the app can take it. The build puts it into index.html.
 */
import { keepEarlyInput } from './src/shared/early-input.ts';
import { bufferShortcuts } from './src/shared/key-buffer.ts';

const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light');
document.documentElement.dataset.script = '';
bufferShortcuts();
keepEarlyInput();
