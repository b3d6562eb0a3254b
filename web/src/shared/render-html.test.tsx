import { type ReactNode, Suspense, use } from 'react';
import { expect, it } from 'vitest';
import { renderHtml } from './render-html.ts';

function Failing(): ReactNode {
  throw new Error('No figures');
}
const never = new Promise<string>(() => undefined);
const Waiting = () => use(never);

const inBoundary = (content: ReactNode) => (
  <main>
    <Suspense fallback={<p>Loading</p>}>{content}</Suspense>
  </main>
);

it('renders the content of a Suspense boundary in its place', async () => {
  expect(await renderHtml(inBoundary('Figures'))).toBe('<main><!--$-->Figures<!--/$--></main>');
});

it('throws an error within a Suspense boundary, and one outside', async () => {
  await expect(renderHtml(inBoundary(<Failing />))).rejects.toThrow('No figures');
  await expect(renderHtml(<Failing />)).rejects.toThrow('No figures');
});

it('throws where a part of the page suspends', async () => {
  await expect(renderHtml(inBoundary(<Waiting />))).rejects.toThrow('A part of the page suspended on the server.');
});

it('renders a text that looks like a failed Suspense boundary', async () => {
  expect(await renderHtml('<!--$!-->')).toBe('&lt;!--$!--&gt;');
});
