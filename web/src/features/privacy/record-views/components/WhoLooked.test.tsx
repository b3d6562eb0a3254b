// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { RecordView } from '#contract/calls/record-views.ts';
import { fakeApi } from '../../../../testing/fake-api.ts';
import { makeUser } from '../../../../testing/make-school.ts';
import { renderInApp, signIn } from '../../../../testing/render-in-app.tsx';
import { WhoLooked } from './WhoLooked.tsx';

const view = (more: Partial<RecordView>): RecordView => ({
  about: 'pupil',
  group: null,
  pupils: 1,
  day: '2026-11-18',
  count: 1,
  first_at: '2026-11-18T12:00:10.000Z',
  last_at: '2026-11-18T12:00:10.000Z',
  viewer: { id: 3, name: 'Ada Okafor' },
  program: null,
  is_support: false,
  what: 'page',
  screen: 'pupil',
  ...more,
});

it('who looked at a pupil names programs, apart from the admin who answers for them', async () => {
  signIn(makeUser());
  const program = { id: 4, name: 'Data warehouse' };
  const views = [
    view({}),
    view({ program }),
    view({ program: { id: 6, name: 'Script' } }),
    view({ program, about: 'list', what: 'file', screen: 'reading', pupils: 28 }),
  ];
  fakeApi({
    'GET /v1/enterprises/7/readers/5/views?page=1&per_page=25': () => ({
      views,
      meta: { page: 1, per_page: 25, total: views.length },
    }),
  });
  const logged = vi.spyOn(console, 'error');
  const { user } = renderInApp(<WhoLooked pupilId={5} />);
  await user.click(await screen.findByRole('button', { name: 'Show who looked' }));
  const table = await screen.findByRole('table', { name: 'Who looked' });
  await within(table).findByText('Ada Okafor');
  const [, ...rows] = within(table).getAllByRole('row');
  expect(rows.map((row) => row.textContent)).toEqual([
    expect.stringContaining('Ada Okafor') as string,
    expect.stringContaining('Data warehouse (program)') as string,
    expect.stringContaining('Script (program)') as string,
    expect.stringMatching(/Data warehouse \(program\).*Received reading sessions.*A list of 28 pupils/) as string,
  ]);
  // Each row has a key of its own.
  expect(logged).not.toHaveBeenCalled();
});
