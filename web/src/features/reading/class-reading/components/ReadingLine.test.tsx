// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { ReadingLine as Line, WeekReader } from '#contract/calls/class-reading.ts';
import { makeUser } from '../../../../testing/make-school.ts';
import { renderInApp, signIn } from '../../../../testing/render-in-app.tsx';
import { ReadingLine } from './ReadingLine.tsx';

const pupil = (id: number, seconds: number): WeekReader => ({
  id,
  name: `Pupil ${id}`,
  pupils: 1,
  readers: seconds > 0 ? 1 : 0,
  reading_time: seconds,
  reading_level: 3,
});

const line = (from: string, to: string, pupils: WeekReader[], more: Partial<Line> = {}): Line => ({
  from,
  to,
  is_current_week: false,
  of: 'pupils',
  readers: pupils,
  median_reading_time: 300,
  is_best_week: false,
  first_books: [],
  ...more,
});

it('the picture of a past week states the figures of that week, and the one before is grey until it has loaded', async () => {
  let answer = () => {};
  signIn(makeUser());
  vi.stubGlobal('fetch', async (address: string) => {
    if (!address.includes('week='))
      return Response.json({ line: line('2026-11-16', '2026-11-22', [pupil(1, 0)], { is_current_week: true }) });
    await new Promise<void>((resolve) => (answer = resolve));
    return Response.json({ line: line('2026-11-09', '2026-11-15', [pupil(1, 600), pupil(2, 0)]) });
  });
  const { user } = renderInApp(<ReadingLine />);
  const heading = await screen.findByRole('heading', { name: 'Reading this week' });
  const picture = heading.closest('section');
  await user.click(screen.getByRole('link', { name: 'Previous week' }));
  await waitFor(() => expect(picture?.dataset.stale).toBe('true'));
  screen.getByText('The one pupil has not read yet this week.');
  answer();
  await screen.findByRole('heading', { name: 'Reading from 9 November to 15 November' });
  screen.getByText('1 of 2 pupils read, 10 minutes.');
  expect(picture?.dataset.stale).toBeUndefined();
});
