// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderInApp } from '../../../../testing/render-in-app.tsx';
import { VideoDialog } from './VideoDialog.tsx';

const video = {
  id: 'a-class',
  title: 'A class',
  summary: 'How a class reads.',
  webm: '/a-class.webm',
  mp4: '/a-class.mp4',
  captions: '/a-class.vtt',
  poster: '/a-class.png',
  transcript: ['Open the class.', 'Look at its figures.'],
};

it('a video offers the file and the steps when the browser can play neither format', async () => {
  renderInApp(<VideoDialog video={video} onClose={() => undefined} />);
  const dialog = await screen.findByRole('dialog', { name: 'A class' });
  const [webm, mp4] = dialog.querySelectorAll('source');
  fireEvent.error(webm!);
  expect(dialog.querySelector('video')).toBeTruthy();
  fireEvent.error(mp4!);
  expect(await screen.findByText(/This browser could not play the video/)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'download the video' }).getAttribute('href')).toBe('/a-class.mp4');
  expect(dialog.querySelector('details')?.open).toBe(true);
  expect(screen.getByText('Look at its figures.')).toBeTruthy();
});
