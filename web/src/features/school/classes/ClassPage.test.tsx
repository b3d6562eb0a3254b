// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { User } from '#contract/calls/access.ts';
import type { Role } from '#contract/permissions.ts';
import { fakeApi } from '../../../testing/fake-api.ts';
import { isForbidden } from '../../../testing/forbidden-calls.ts';
import { makeClass, makePupil, makeSchool, makeUser } from '../../../testing/make-school.ts';
import { renderRoutes, signIn } from '../../../testing/render-in-app.tsx';
import ClassPage from './ClassPage.tsx';

const ANN = { id: 3, first_name: 'Ann', last_name: 'Price' };
const TOM = { id: 8, first_name: 'Tom', last_name: 'Finch' };

const READING = {
  weeks: ['2026-11-16', '2026-11-23'],
  accuracy: 0.95,
  words: 400,
  in_school_hours: 3900,
  outside_school_hours: 0,
  readers: [
    {
      id: 5,
      name: 'Ada Baker',
      last_read_on: '2026-11-23',
      reading_time_this_week: 600,
      accuracy: 0.95,
      words: 400,
      reading_level: 3,
      weeks: [0, 600],
    },
  ],
};

/** Shows the page of Tom Finch's class, in which Ann Price helps, to her in a role. Returns the requests. */
function showClass(role: Role, more: Partial<User> = {}) {
  signIn(makeUser({ ...ANN, enterprise_user_role: 'teacher', role, ...more }));
  const schoolClass = makeClass({ teachers: [TOM], manager: TOM, manager_id: TOM.id, assistants: [ANN] });
  const sent = fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({
      enterprise: makeSchool({ user_manages: false, groups: [schoolClass], features: ['new_statistics'] }),
    }),
    'GET /v1/enterprises/7/groups/4': () => ({
      group: { ...schoolClass, readers: [makePupil({ can_update: false })] },
    }),
    'GET /v1/enterprises/7/groups/4/reading': () => ({ reading: READING }),
    'GET /v1/enterprises/7/groups/4/books?show=assigned': () => ({ books: [] }),
  });
  return { sent, ...renderRoutes([{ path: '/classes/:id', Component: ClassPage }], '/classes/4') };
}

it('the page of a class shows its reading in and out of school hours in the last six weeks', async () => {
  showClass('teaching_assistant');
  await screen.findByText('Last six weeks: in school hours 1 h 5 min, outside 0 min');
});

it('a teaching assistant sees the pupils of a class, how they read and its books, and can print their logins', async () => {
  const { sent, user } = showClass('teaching_assistant');
  await screen.findByRole('columnheader', { name: /Accuracy, six weeks/ });
  await screen.findByText('No books are assigned to the class.');
  for (const name of ['Add existing pupils', 'Assign Teacher', 'Edit name', 'Delete class', 'Add teacher'])
    expect(screen.queryByRole('button', { name, hidden: true })).toBeNull();
  for (const name of ['Add Pupils', 'Manage books', 'Sort by need'])
    expect(screen.queryByRole('link', { name })).toBeNull();
  await user.click(await screen.findByRole('checkbox', { name: 'Select Ada Baker' }));
  await waitFor(() =>
    expect(screen.getByRole('button', { name: 'Reset Passwords' }).getAttribute('aria-disabled')).toBeNull(),
  );
  expect(Object.keys(sent).filter((name) => isForbidden('teaching_assistant', name))).toEqual([]);
});

it('the page of a class names its teaching assistants, and to them who can change the class', async () => {
  showClass('teaching_assistant');
  const about = await screen.findByRole('region', { name: 'Teacher' });
  await waitFor(() =>
    expect([...about.querySelectorAll('p')].map(({ textContent }) => textContent)).toEqual([
      'Teacher: Tom Finch',
      'Teaching assistant: Ann Price',
      'You help in this class. Only Tom Finch or an admin can change it.',
    ]),
  );
});

it('a reading lead manages the books of another teacher’s class, and cannot change the class', async () => {
  showClass('reading_lead');
  expect((await screen.findByRole('link', { name: 'Manage books' })).getAttribute('href')).toBe('/classes/4/books');
  await screen.findByRole('checkbox', { name: 'Select Ada Baker' });
  expect(screen.queryByRole('heading', { name: 'Assigned books' })).toBeNull();
  for (const name of ['Add existing pupils', 'Edit name', 'Delete class'])
    expect(screen.queryByRole('button', { name, hidden: true })).toBeNull();
});

const COVER = { group_id: 4, ends_at: '2099-11-27T15:30:00.000Z' };

it.each(['teacher', 'teaching_assistant', 'supply_teacher'] as const)(
  'someone with the role %s who covers a class sees until when and how it reads, and can move its pupils, but changes nothing else',
  async (role) => {
    const { sent, user } = showClass(role, { covers: [COVER] });
    await screen.findByText('You cover this class until Friday 27 November at 15:30.');
    await screen.findByRole('columnheader', { name: /Accuracy, six weeks/ });
    await user.click(await screen.findByRole('checkbox', { name: 'Select Ada Baker' }));
    for (const name of ['Reset Passwords', 'Change Class', 'Remove from class'])
      await waitFor(() =>
        expect(screen.getByRole('button', { name, hidden: true }).getAttribute('aria-disabled')).toBeNull(),
      );
    for (const name of ['Add existing pupils', 'Assign Teacher', 'Edit name', 'Delete class', 'Add teacher', 'Cover'])
      expect(screen.queryByRole('button', { name, hidden: true })).toBeNull();
    for (const name of ['Add Pupils', 'Manage books']) expect(screen.queryByRole('link', { name })).toBeNull();
    // Only those who can undo it remove a pupil without a question.
    const canUndo = role === 'teacher';
    await user.click(screen.getByLabelText('Actions for Ada Baker'));
    expect(screen.queryByRole('button', { name: 'Remove from class: Ada Baker', hidden: true }) !== null).toBe(canUndo);
    expect(Object.keys(sent).filter((name) => isForbidden(role, name))).toEqual([]);
    expect(sent['GET /v1/enterprises/7/groups/4/needs']).toBeUndefined();
  },
);

it('a teacher of another class sees no cover once it has ended, and cannot move the pupils', async () => {
  showClass('teacher', { covers: [{ ...COVER, ends_at: '2020-01-01T15:30:00.000Z' }] });
  await screen.findByText('Ada Baker');
  expect(screen.queryByText(/You cover this class/)).toBeNull();
  expect(screen.queryByRole('checkbox', { name: 'Select Ada Baker' })).toBeNull();
});
