// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { fakeApi } from '../../../../testing/fake-api.ts';
import { makeSchool, makeUser } from '../../../../testing/make-school.ts';
import { renderInApp, signIn } from '../../../../testing/render-in-app.tsx';
import { setTimeZone } from '../../../../testing/set-time-zone.ts';
import { WhoNeedsMe } from './WhoNeedsMe.tsx';

const REASON = { reason: 'No books assigned', evidence: { kind: 'nothing_assigned' }, tried: null };
const QUIET = { readers: 0, reading_time: 0 };
const WEEK = { from: '2026-11-23', to: '2026-11-29', is_last_week: false, ...QUIET, before: QUIET, read_this_week: 0 };

/** Shows a class of 28 in which some need help. */
function showClass(inNeed: number) {
  setTimeZone('Europe/London');
  signIn(makeUser());
  const inList = Array.from({ length: inNeed }, (_, index) => ({
    id: index + 1,
    name: `Pupil ${index + 1}`,
    group: null,
    needs: [REASON],
  }));
  fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool() }),
    'GET /v1/enterprises/7/needs?group_id=4&per_page=200': () => ({
      readers: inList,
      hidden: [],
      improved: [],
      not_read: { since: '2026-11-23', total: 0, readers: [] },
      week: { ...WEEK, pupils: 28 },
      meta: { page: 1, per_page: 200, total: inNeed, too_little: 0, from: '2026-10-13', to: '2026-11-23' },
    }),
  });
  return renderInApp(<WhoNeedsMe classId={4} />, '/?class=4');
}

const countRows = () =>
  within(screen.getByRole('list', { name: 'Pupils who need help' })).getAllByRole('listitem').length;

it('where more than a quarter of a class need help, the worst three are listed first and a button shows the others', async () => {
  const { user } = showClass(11);
  await screen.findByText('11 of 28 need help: these are the 3 who need it most.');
  expect(countRows()).toBe(3);
  await user.click(screen.getByRole('button', { name: 'Show the other 8' }));
  await waitFor(() => expect(countRows()).toBe(11));
  expect(screen.queryByText(/who need it most/)).toBeNull();
});

it('where a quarter of a class or fewer need help, the list begins with three and shows all of them with a button', async () => {
  const { user } = showClass(7);
  await user.click(await screen.findByRole('button', { name: 'Show all 7 pupils' }));
  await waitFor(() => expect(countRows()).toBe(7));
  expect(screen.queryByText(/who need it most/)).toBeNull();
});
