import { expect, test } from 'vitest';
import { extractText, getDocumentProxy } from '../../../testing/read-pdf.ts';
import { renderLoginCards } from './login-cards.document.ts';

test.each(['pocket', 'peg'] as const)('a %s card has the whole of the longest username', async (size) => {
  const username = 'wolfeschlege-steinhausenb12345678';
  const logins = [{ name: 'Wolfe Stein', class: null, username, password: 'sun-hat-42' }];
  const texts = { product: 'Storylark', instruction: 'Go to read.example', date: '25 November 2026' };
  const pdf = await renderLoginCards({ ...texts, logins, size, appUrl: 'https://read.example' });
  const { text } = await extractText(await getDocumentProxy(pdf), { mergePages: true });
  expect(text.replaceAll(/\s/g, '')).toContain(username);
});
