// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { fakeApi, rejectWith } from '../../../../testing/fake-api.ts';
import { makeBook } from '../../../../testing/make-reading.ts';
import { makeSchool, makeUser } from '../../../../testing/make-school.ts';
import { renderInApp, signIn } from '../../../../testing/render-in-app.tsx';
import AssignBooks from './AssignBooks.tsx';

const PUPILS = [
  { id: 5, name: 'Ada Baker' },
  { id: 6, name: 'Ben Crane' },
  { id: 8, name: 'Cleo Dunn' },
];
const LANTERN = makeBook();
const OTTERS = makeBook({ id: 9, title: 'Otters' });
const STATES = 'GET /v1/enterprises/7/books/states?reader_ids=5%2C6%2C8';
const booksOf = (pupilId: number, level: number) =>
  `GET /v1/enterprises/7/readers/${pupilId}/books?${level > 1 ? `level_from=${level}&` : ''}level_to=${level}`;

function showBooks(replies: Parameters<typeof fakeApi>[0]) {
  signIn(makeUser());
  const sent = fakeApi({ 'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool() }), ...replies });
  return { sent, ...renderInApp(<AssignBooks pupils={PUPILS} onClose={() => undefined} />) };
}

it('the books offered first are one level below the commonest of the pupils, each with who has opened and been assigned it', async () => {
  const { sent } = showBooks({
    [STATES]: () => ({ reading_level: 4, books: [{ id: LANTERN.id, opened: 2, completed: 1, assigned: 2 }] }),
    [booksOf(5, 3)]: () => ({ books: [LANTERN, OTTERS] }),
  });
  const box = await screen.findByRole('checkbox', { name: 'The Lantern' });
  expect(screen.getByLabelText('Reading level')).toHaveProperty('value', '3');
  const describedBy = (element: Element) =>
    document.getElementById(element.getAttribute('aria-describedby') ?? '')?.textContent;
  expect(describedBy(box)).toBe('Opened by 2 of 3, finished by 1Assigned to 2 of 3');
  expect(screen.getByRole('checkbox', { name: 'Otters' }).getAttribute('aria-describedby')).toBeNull();
  // No other level was loaded before.
  expect(Object.keys(sent).filter((name) => name.includes('/books?'))).toEqual([booksOf(5, 3)]);
});

it('pupils who have not read are offered books of level 1', async () => {
  showBooks({
    [STATES]: () => ({ reading_level: null, books: [] }),
    [booksOf(5, 1)]: () => ({ books: [LANTERN] }),
  });
  await screen.findByRole('checkbox', { name: 'The Lantern' });
  expect(screen.getByLabelText('Reading level')).toHaveProperty('value', '1');
});

it('a book is opened by pupils of those who are still in the school', async () => {
  const missing = { error: 'Not found', error_type: 'pupil_not_found', reader_ids: [8] };
  showBooks({
    [STATES]: () => rejectWith(404, missing),
    'GET /v1/enterprises/7/books/states?reader_ids=5%2C6': () => ({
      reading_level: 2,
      books: [{ id: LANTERN.id, opened: 1, completed: 0, assigned: 0 }],
    }),
    [booksOf(5, 1)]: () => ({ books: [LANTERN] }),
  });
  await screen.findByText('Opened by 1 of 2');
});

it('books can be assigned when what the pupils have read cannot be loaded, which a notice says', async () => {
  const { user } = showBooks({
    [STATES]: () => rejectWith(422, { error: 'Choose fewer pupils.', error_type: 'validation' }),
    [booksOf(5, 1)]: () => ({ books: [LANTERN] }),
  });
  await user.click(await screen.findByRole('checkbox', { name: 'The Lantern' }));
  await screen.findByText('Choose fewer pupils.');
  await waitFor(() =>
    expect(screen.getByRole('button', { name: 'Assign 1 book' }).getAttribute('aria-disabled')).toBeNull(),
  );
});
