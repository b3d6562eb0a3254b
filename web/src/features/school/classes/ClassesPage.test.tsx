// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { User } from '#contract/calls/access.ts';
import { fakeApi } from '../../../testing/fake-api.ts';
import { makeClass, makeSchool, makeUser } from '../../../testing/make-school.ts';
import { renderInApp, signIn } from '../../../testing/render-in-app.tsx';
import ClassesPage from './ClassesPage.tsx';

/** Shows the page to an admin, or to the user given. Returns the requests. */
async function showClasses(me: Partial<User> = {}) {
  let classes = [makeClass({ user_manages: true }), makeClass({ id: 5, name: '4 Owls', readers_count: 30 })];
  signIn(makeUser(me));
  const sent = fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool({ groups: classes }) }),
    'POST /v1/enterprises/7/groups': () => {
      const created = makeClass({ id: 6, name: '5 Otters' });
      classes = [...classes, created];
      return { group: created };
    },
    'DELETE /v1/enterprises/7/groups/4': () => {
      classes = classes.slice(1);
      return {};
    },
  });
  const page = renderInApp(<ClassesPage />, '/classes');
  await screen.findByRole('row', { name: /3 Badgers/ });
  return { ...page, sent };
}

const rowNames = () =>
  within(screen.getByRole('table', { name: 'Classes' }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getAllByRole('link')[0]!.textContent);
const hrefOf = (name: string) => screen.getByRole('link', { name }).getAttribute('href');

it('the list of classes links to the management of each class and of its books', async () => {
  const { user } = await showClasses();
  expect(rowNames()).toEqual(['3 Badgers', '4 Owls']);
  await user.click(screen.getByLabelText('Actions for 3 Badgers'));
  expect(hrefOf('Manage class 3 Badgers')).toBe('/classes/4');
  expect(hrefOf('Manage books of 3 Badgers')).toBe('/classes/4/books');
});

it('Add Class requires a name, and then creates the class', async () => {
  const { user, sent } = await showClasses();
  await user.click(screen.getByRole('button', { name: 'Add Class' }));
  const dialog = await screen.findByRole('dialog', { name: 'Add Class' });
  await user.click(within(dialog).getByRole('button', { name: 'Add class' }));
  await within(dialog).findByRole('heading', { name: 'There is a problem' });
  expect(sent['POST /v1/enterprises/7/groups']).toBeUndefined();
  await user.type(within(dialog).getByLabelText('Name of the class'), '5 Otters');
  await user.click(within(dialog).getByRole('button', { name: 'Add class' }));
  await screen.findByText('The class has been successfully created');
  expect(sent['POST /v1/enterprises/7/groups']).toEqual([{ name: '5 Otters' }]);
  expect(rowNames()).toEqual(['3 Badgers', '4 Owls', '5 Otters']);
});

it('Delete in the list of classes deletes the class after a confirmation', async () => {
  const { user, sent } = await showClasses();
  await user.click(screen.getByLabelText('Actions for 3 Badgers'));
  await user.click(screen.getByRole('button', { name: 'Delete 3 Badgers' }));
  const question = await screen.findByRole('dialog', { name: 'Delete 3 Badgers?' });
  expect(sent['DELETE /v1/enterprises/7/groups/4']).toBeUndefined();
  await user.click(within(question).getByRole('button', { name: 'Delete class' }));
  await screen.findByText('The class has been successfully deleted');
  expect(sent['DELETE /v1/enterprises/7/groups/4']).toHaveLength(1);
  expect(rowNames()).toEqual(['4 Owls']);
});

it('a teaching assistant sees their classes without anything to change them', async () => {
  signIn(makeUser({ enterprise_user_role: 'teacher', role: 'teaching_assistant' }));
  fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({
      enterprise: makeSchool({ user_manages: false, groups: [makeClass()] }),
    }),
  });
  const { user } = renderInApp(<ClassesPage />, '/classes');
  await screen.findByRole('row', { name: /3 Badgers/ });
  await user.click(screen.getByLabelText('Actions for 3 Badgers'));
  expect(hrefOf('Open class 3 Badgers')).toBe('/classes/4');
  expect(screen.queryByRole('link', { name: 'Manage books of 3 Badgers' })).toBeNull();
  expect(screen.queryByRole('link', { name: 'Archive' })).toBeNull();
  for (const name of ['Add Class', 'Delete 3 Badgers']) expect(screen.queryByRole('button', { name })).toBeNull();
});

it('the list of classes tells a teaching assistant without a class to ask an admin', async () => {
  signIn(makeUser({ enterprise_user_role: 'teacher', role: 'teaching_assistant' }));
  fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool({ user_manages: false }) }),
  });
  renderInApp(<ClassesPage />, '/classes');
  await screen.findByText('You do not help in a class yet');
  screen.getByText('Ask an admin to add you to a class. Your classes will be listed here.');
});

it('a reading lead can manage the books of a class that they cannot change', async () => {
  signIn(makeUser({ enterprise_user_role: 'teacher', role: 'reading_lead' }));
  fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({
      enterprise: makeSchool({ user_manages: false, groups: [makeClass()] }),
    }),
  });
  const { user } = renderInApp(<ClassesPage />, '/classes');
  await screen.findByRole('row', { name: /3 Badgers/ });
  await user.click(screen.getByLabelText('Actions for 3 Badgers'));
  expect(hrefOf('Manage books of 3 Badgers')).toBe('/classes/4/books');
  expect(screen.queryByRole('button', { name: 'Delete 3 Badgers' })).toBeNull();
});

it('the list of classes says until when the user covers one of them', async () => {
  await showClasses({ role: 'teacher', covers: [{ group_id: 5, ends_at: '2099-11-27T15:30:00.000Z' }] });
  const rows = screen.getAllByRole('row', { name: /Badgers|Owls/ });
  expect(
    rows.map((row) => row.textContent.includes('You cover this class until Friday 27 November at 15:30.')),
  ).toEqual([false, true]);
});
