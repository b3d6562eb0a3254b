// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderInApp } from '../../../testing/render-in-app.tsx';
import VideoGuidesPage from './VideoGuidesPage.tsx';

it('the page of video guides offers 5 videos of every day tasks and 6 videos of the set up, which play in a dialog', async () => {
  const { user } = renderInApp(<VideoGuidesPage />, '/videoguides');
  const headings = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
  expect(headings).toEqual(['Every day tasks', 'Set up']);
  const videosUnder = (name: string) => within(screen.getByRole('region', { name })).getAllByRole('button');
  expect(headings.map((name) => videosUnder(name).length)).toEqual([5, 6]);
  const all = screen.getAllByRole<HTMLButtonElement>('button').filter(({ textContent }) => textContent !== '');
  expect(all.filter(({ disabled }) => disabled)).toEqual([]);
  await user.click(screen.getByRole('button', { name: /^Create a class/ }));
  const dialog = await screen.findByRole('dialog', { name: 'Create a class' });
  expect(dialog.querySelector('video source')?.getAttribute('src')).toMatch(/create-a-class.*\.webm/);
});
