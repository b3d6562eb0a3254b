// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { LowestFifth } from '#contract/calls/lowest-fifth.ts';
import { fakeApi } from '../../../testing/fake-api.ts';
import { makeSchool, makeUser } from '../../../testing/make-school.ts';
import { renderInApp, signIn } from '../../../testing/render-in-app.tsx';
import LowestFifthPage from './LowestFifthPage.tsx';

const ADA: LowestFifth['readers'][number] = {
  id: 5,
  name: 'Ada Baker',
  group: { id: 4, name: '3 Badgers' },
  reading_level: 1,
  accuracy: 81.7,
  reading_time_a_week: 1230,
  before: { reading_level: 1, accuracy: 78 },
  was_listed: true,
  responses: [
    {
      id: 1,
      response: 'done',
      remark: 'read with her',
      reason: 'Level 1: 81% accuracy',
      responded_by: 99,
      responded_at: '2026-11-16T10:00:00.000Z',
    },
  ],
  books: 2,
};
const LIST: LowestFifth = {
  year_groups: ['R', '3'],
  year_group: 'R',
  from: '2026-10-08',
  to: '2026-11-18',
  pupils: 6,
  placed: 5,
  too_little: 1,
  without_year_group: 2,
  readers: [ADA],
};

function show(replies: Record<string, LowestFifth>, at = '/lowest-fifth') {
  signIn(makeUser());
  const sent = fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool() }),
    ...Object.fromEntries(
      Object.entries(replies).map(([query, list]) => [
        `GET /v1/enterprises/7/lowest-fifth${query}`,
        () => ({ lowest_fifth: list }),
      ]),
    ),
  });
  return { sent, ...renderInApp(<LowestFifthPage />, at) };
}

it('the lowest fifth shows how each pupil reads, what they get and what changed', async () => {
  show({ '': LIST });
  const table = await screen.findByRole('table', { name: 'The lowest fifth of Reception' });
  const row = within(table).getByRole('row', { name: /Ada Baker/ });
  expect(within(row).getByRole('link', { name: 'Ada Baker' }).getAttribute('href')).toBe('/classes/4/pupils/5');
  for (const text of ['3 Badgers', '81%', '21', '2 books of their own', '81%, before 78%', 'Also before'])
    expect(within(row).getAllByText(text).length).toBeGreaterThan(0);
  within(row).getByText(/Done by a former member of staff on 16 November 2026: read with her/);
  screen.getByText('1 of the 5 pupils who can be placed. 1 read too little to be placed.');
  screen.getByText('2 pupils of the school have no year group, and are on no list.');
  expect(screen.getByLabelText('About the lowest fifth')).toBeTruthy();
});

it('a chosen year group is fetched', async () => {
  const { user } = show({
    '': LIST,
    '?year_group=3': { ...LIST, year_group: '3', readers: [{ ...ADA, name: 'Ben Cole' }] },
  });
  const choice = await screen.findByRole('combobox', { name: 'Year group' });
  expect(
    within(choice)
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual(['Reception', 'Year 3']);
  await user.selectOptions(choice, 'Year 3');
  await screen.findByRole('table', { name: 'The lowest fifth of Year 3' });
  await screen.findByRole('link', { name: 'Ben Cole' });
});

it('a year group in which no one has read enough says so', async () => {
  show({ '': { ...LIST, placed: 0, too_little: 6, readers: [] } });
  await screen.findByText('No one in Reception has read enough');
  screen.getByText('6 read too little to be placed.');
});

it('a school without year groups is led to its pupils', async () => {
  show({ '': { ...LIST, year_groups: [], year_group: null, pupils: 0, placed: 0, readers: [] } });
  await screen.findByText('No year groups yet');
  expect(screen.getByRole('link', { name: 'Go to pupils' }).getAttribute('href')).toBe('/pupils');
  expect(screen.queryByRole('combobox')).toBeNull();
});
