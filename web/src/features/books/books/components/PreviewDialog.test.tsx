// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { renderInApp } from '../../../../testing/render-in-app.tsx';
import { PreviewDialog } from './PreviewDialog.tsx';

vi.mock('./PreviewPages.tsx', () => ({
  default: () => {
    throw new ReferenceError('Iterator is not defined');
  },
}));

it('the preview of a book offers the PDF itself when the browser cannot run the viewer', async () => {
  const silent = vi.spyOn(console, 'error').mockReturnValue();
  const book = { title: 'The Wet Pup', preview: '/v1/previews/101.pdf' };
  renderInApp(
    <>
      <h1>Books</h1>
      <PreviewDialog book={book} isOpen onClose={() => undefined} />
    </>,
  );
  const link = await screen.findByRole('link', { name: 'Open the PDF in a new tab' });
  expect(link.getAttribute('href')).toBe('/v1/previews/101.pdf');
  expect(screen.getByText('The preview could not be shown.')).toBeTruthy();
  expect(screen.getByText('Books')).toBeTruthy();
  silent.mockRestore();
});
