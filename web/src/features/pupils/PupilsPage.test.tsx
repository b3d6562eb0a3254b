// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { makePupil, makeSchool, makeUser } from '../../testing/make-school.ts';
import { renderRoutes, signIn } from '../../testing/render-in-app.tsx';
import PupilsPage from './PupilsPage.tsx';

it('the list of pupils asks the server for the page, the rows, the order and the search in the URL', async () => {
  signIn(makeUser());
  const queries: string[] = [];
  vi.stubGlobal('fetch', async (address: string) => {
    const { pathname, searchParams } = new URL(address, 'https://portal.example');
    if (pathname === '/v1/enterprises/7') return Response.json({ enterprise: makeSchool() });
    if (pathname !== '/v1/enterprises/7/readers')
      return Response.json({ error: 'Missing', error_type: 'not_found' }, { status: 404 });
    queries.push(searchParams.toString());
    return Response.json({ readers: [makePupil()], meta: { total: 90, total_filtered: 80, page: 2, per_page: 25 } });
  });
  const url = '/pupils?page=2&per_page=25&search=ada&sort=-name';
  renderRoutes([{ path: '/pupils', Component: PupilsPage }], url);
  await screen.findByText('26 to 50 of 80 pupils');
  const query = { page: '2', per_page: '25', search: 'ada', 'sort[name]': 'desc' };
  expect([...new Set(queries)]).toEqual([new URLSearchParams(query).toString()]);
});
