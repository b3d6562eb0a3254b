// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import type { Comparison } from '#contract/calls/charts.ts';
import { makeUser } from '../../../../testing/make-school.ts';
import { renderInApp, signIn } from '../../../../testing/render-in-app.tsx';
import { useComparison } from '../model/use-comparison.ts';
import { ComparisonNote } from './ComparisonNote.tsx';

const AUTUMN = { from: '2026-11-16', to: '2026-11-22' };
const SUMMER = { from: '2026-06-15', to: '2026-06-21' };

function Page() {
  const [range, setRange] = useState(AUTUMN);
  const shown = useComparison({ range }, true);
  return (
    <>
      <button type="button" onClick={() => setRange(SUMMER)}>
        Summer
      </button>
      <ComparisonNote {...shown} range={range} />
    </>
  );
}

it('the comparison of the previous dates is grey until that of the new dates has loaded', async () => {
  let answer = () => {};
  signIn(makeUser());
  vi.stubGlobal('fetch', async (address: string) => {
    const isSummer = address.includes(SUMMER.from);
    if (isSummer) await new Promise<void>((resolve) => (answer = resolve));
    const [start_date, end_date] = isSummer ? ['2026-06-08', '2026-06-14'] : ['2026-11-09', '2026-11-15'];
    return Response.json({ comparison: { start_date, end_date, school_days: 5, until: end_date } as Comparison });
  });
  const { user } = renderInApp(<Page />);
  const note = await screen.findByText(/^Compared with 9 November to 15 November/);
  expect(note.dataset.stale).toBeUndefined();
  await user.click(screen.getByRole('button', { name: 'Summer' }));
  await waitFor(() => expect(note.dataset.stale).toBe('true'));
  answer();
  await screen.findByText(/^Compared with 8 June to 14 June/);
  expect(note.dataset.stale).toBeUndefined();
});
