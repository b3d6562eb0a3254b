// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { makeClass, makePupil, makeSchool, makeUser } from '../../testing/make-school.ts';
import { renderInApp, signIn } from '../../testing/render-in-app.tsx';
import PupilsPage from './PupilsPage.tsx';

const PER_PAGE = 50;
const TOTAL = 120;

/** Shows the list to an admin of a school with 120 pupils. Returns the queries of its requests. */
async function showPupils() {
  const requested: URLSearchParams[] = [];
  signIn(makeUser());
  vi.stubGlobal('fetch', async (url: string) => {
    const { pathname, searchParams } = new URL(url, 'https://portal.example');
    if (pathname.endsWith('/tags')) return Response.json({ tags: [] });
    if (!pathname.endsWith('/readers'))
      return Response.json({ enterprise: makeSchool({ groups: [makeClass(), makeClass({ id: 5, name: '4 Owls' })] }) });
    requested.push(searchParams);
    const page = Number(searchParams.get('page'));
    const pupils = Array.from({ length: PER_PAGE }, (_, index) => (page - 1) * PER_PAGE + index + 1)
      .filter((id) => id <= TOTAL)
      .map((id) => makePupil({ id, name: `Pupil ${id}` }));
    return Response.json({ readers: pupils, meta: { page, per_page: PER_PAGE, total: TOTAL, total_filtered: TOTAL } });
  });
  const view = renderInApp(<PupilsPage />, '/pupils');
  await screen.findByRole('link', { name: 'Pupil 1' });
  return { ...view, requested };
}

it('the list of pupils requests one page at a time, and links to the page and books of each pupil', async () => {
  const { user, requested } = await showPupils();
  expect(requested.map((query) => [query.get('page'), query.get('per_page')])).toEqual([['1', '50']]);
  const hrefOf = (name: string) => screen.getByRole('link', { name, hidden: true }).getAttribute('href');
  expect([hrefOf('Pupil 1'), hrefOf('Manage books of Pupil 1')]).toEqual(['/pupils/1', '/pupils/1/books']);
  await user.click(screen.getByRole('link', { name: 'Next page' }));
  await screen.findByRole('link', { name: 'Pupil 100' });
  expect(screen.queryByRole('link', { name: 'Pupil 1' })).toBeNull();
  expect(requested.at(-1)?.get('page')).toBe('2');
});

it('the list of pupils requests only those of the classes that are ticked', async () => {
  const { user, requested } = await showPupils();
  const filter = screen.getByRole('group', { name: 'Classes shown', hidden: true });
  await user.click(within(filter).getByLabelText(/^4 Owls/));
  await waitFor(() => expect(requested.at(-1)?.get('groups')).toBe('5'));
});
