import type { ReactNode } from 'react';
import { renderToPipeableStream, renderToString } from 'react-dom/server';

/** What React leaves in place of a Suspense boundary whose content failed or suspended. */
const FAILED_BOUNDARY = '<!--$!-->';

/** Renders all content in its place. Throws its error, also one within a Suspense boundary; nothing may suspend. */
export async function renderHtml(content: ReactNode): Promise<string> {
  const html = renderToString(content);
  if (html.includes(FAILED_BOUNDARY)) throw await findBoundaryError(content);
  return html;
}

/** Renders the content again for the error in a Suspense boundary, which `renderToString` does not report. */
const findBoundaryError = (content: ReactNode): Promise<unknown> =>
  new Promise((resolve) => {
    renderToPipeableStream(content, { onError: resolve });
    // React renders in an earlier callback of the same turn.
    setImmediate(() => resolve(new Error('A part of the page suspended on the server.')));
  });
