// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { DataSubject } from '#contract/calls/subject-requests.ts';
import { fakeApi } from '../../../testing/fake-api.ts';
import { makeSchool, makeUser } from '../../../testing/make-school.ts';
import { renderRoutes, signIn } from '../../../testing/render-in-app.tsx';
import NewSubjectRequestPage from './NewSubjectRequestPage.tsx';

const person = (id: number, name: string, more: Partial<DataSubject> = {}): DataSubject => ({
  kind: 'pupil',
  id,
  name,
  is_former: false,
  group: null,
  ...more,
});
const PEOPLE = [
  person(5, 'Dilys Evans', { group: '3 Badgers' }),
  person(6, 'Dilys Moss', { is_former: true }),
  person(7, 'Dilys Head', { kind: 'staff' }),
  person(8, 'Dilys Wren', { kind: 'staff', is_former: true }),
];

/** Opens the page for a data protection officer, with a reply to each query of the call. */
function openPage(url: string, replies: Record<string, DataSubject[]>) {
  signIn(makeUser({ enterprise_user_role: 'teacher', role: 'data_protection_officer' }));
  const sent = fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool({ user_manages: false }) }),
    ...Object.fromEntries(
      Object.entries(replies).map(([query, people]) => [
        `GET /v1/enterprises/7/data-subjects?${query}`,
        () => ({ people }),
      ]),
    ),
  });
  const page = renderRoutes(
    ['/school/data/requests/new', '/school/data/requests/new/:kind'].map((path) => ({
      path,
      Component: NewSubjectRequestPage,
    })),
    url,
  );
  return { ...page, sent };
}

it('a search lists pupils and staff, current and former, each with a link', async () => {
  openPage('/school/data/requests/new?search=dilys', { 'search=dilys': PEOPLE });
  const items = within(await screen.findByRole('list', { name: 'People found' })).getAllByRole('listitem');
  expect(items.map(({ textContent }) => textContent)).toEqual([
    'Dilys Evans Pupil, 3 Badgers',
    'Dilys Moss Former pupil',
    'Dilys Head Staff',
    'Dilys Wren Former staff',
  ]);
  expect(items.map((item) => within(item).getByRole('link').getAttribute('href'))).toEqual([
    '/school/data/requests/new?pupil=5',
    '/school/data/requests/new?pupil=6',
    '/school/data/requests/new?staff=7',
    '/school/data/requests/new?staff=8',
  ]);
});

it('the search is a GET form with the parameter search, so that it works without scripts', async () => {
  openPage('/school/data/requests/new', {});
  const field = await screen.findByLabelText<HTMLInputElement>('Whose data is it?');
  expect([field.name, field.form?.method, field.form?.getAttribute('action')]).toEqual([
    'search',
    'get',
    '/school/data/requests/new',
  ]);
});

it('a person who is chosen from the search is asked about by kind of request', async () => {
  const { user, sent } = openPage('/school/data/requests/new', {
    'search=dilys': PEOPLE,
    'pupil=5': PEOPLE.slice(0, 1),
  });
  await user.type(await screen.findByLabelText('Whose data is it?'), 'dilys');
  await user.click(await screen.findByRole('link', { name: 'Dilys Evans' }));
  const kind = await screen.findByRole('link', { name: 'Complaint' });
  expect(kind.getAttribute('href')).toBe('/school/data/requests/new/complaint?pupil=5');
  expect(Object.keys(sent).filter((name) => !/\/7\?include|data-subjects|\/me$/.test(name))).toEqual([]);
});

it('a link to a request about a colleague names the colleague', async () => {
  openPage('/school/data/requests/new/access?staff=7', { 'staff=7': PEOPLE.slice(2, 3) });
  expect(await screen.findByRole('group', { name: 'Everything about Dilys Head' })).toBeTruthy();
});

it('a link to a request about someone who was erased says that there is no such person', async () => {
  openPage('/school/data/requests/new?pupil=9', { 'pupil=9': [] });
  expect(await screen.findByText('We could not find this person in your school.')).toBeTruthy();
});

it('a search without results says so', async () => {
  openPage('/school/data/requests/new?search=zzz', { 'search=zzz': [] });
  expect(await screen.findByText('No one in your school, now or before, has a name with “zzz”.')).toBeTruthy();
});
