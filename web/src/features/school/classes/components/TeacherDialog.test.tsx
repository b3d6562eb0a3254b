// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { ASSIGNABLE_ROLES, ROLE_TEXTS, toSpecifiedRole } from '#contract/permissions.ts';
import { fakeApi } from '../../../../testing/fake-api.ts';
import { makeClass, makeSchool, makeUser } from '../../../../testing/make-school.ts';
import { renderInApp, signIn } from '../../../../testing/render-in-app.tsx';
import type { TeacherChange } from '../classes.api.ts';
import { TeacherDialog } from './TeacherDialog.tsx';

/** A member of staff in each role, named after the role: IDs from 11. */
const STAFF = ASSIGNABLE_ROLES.map((role, index) => ({
  id: 11 + index,
  first_name: 'The',
  last_name: ROLE_TEXTS[role].name,
  email: `${role}@school.example`,
  enterprise_user_role: toSpecifiedRole(role),
  role,
  user_manages: true,
}));
const person = (index: number) => {
  const { id, first_name, last_name } = STAFF[index]!;
  return { id, first_name, last_name };
};
const TEACHER = person(1);
const ASSISTANT = person(3);

async function openDialog(change: TeacherChange, people: { teachers?: object[]; assistants?: object[] } = {}) {
  signIn(makeUser());
  const sent = fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool({ users: STAFF }) }),
    'POST /v1/enterprises/7/groups/4/teachers/14': () => ({}),
    'DELETE /v1/enterprises/7/groups/4/teachers/14': () => ({}),
  });
  const schoolClass = makeClass({ user_manages: true, ...people } as object);
  const { user } = renderInApp(
    <TeacherDialog schoolClass={schoolClass} change={change} isOpen onClose={() => undefined} />,
  );
  const dialog = await screen.findByRole('dialog');
  return { dialog, user, sent };
}

const offeredIn = async (dialog: HTMLElement, expectedCount: number) =>
  (await within(dialog).findAllByRole('option')).slice(-expectedCount).map(({ textContent }) => textContent);

it('Assign teacher offers the staff who can be teachers of a class', async () => {
  const { dialog } = await openDialog('change');
  await within(dialog).findByRole('option', { name: 'The Admin' });
  expect(await offeredIn(dialog, 4)).toEqual([
    'Choose a teacher',
    'The Admin',
    'The Teacher',
    'The Reading lead or SENCO',
  ]);
});

it('Add teacher offers teaching assistants too, says what they may do, and adds them', async () => {
  const { dialog, user, sent } = await openDialog('add', { teachers: [TEACHER] });
  await within(dialog).findByRole('option', { name: 'The Admin' });
  expect(await offeredIn(dialog, 4)).toEqual([
    'Choose a person',
    'The Admin',
    'The Reading lead or SENCO',
    'The Teaching assistant (teaching assistant)',
  ]);
  within(dialog).getByText('With the same rights as the current teachers.');
  await user.selectOptions(within(dialog).getByLabelText('Teacher or assistant'), '14');
  within(dialog).getByText(/^A teaching assistant sees the pupils of the class/);
  await user.click(within(dialog).getByRole('button', { name: 'Add teaching assistant' }));
  await screen.findByText('The teaching assistant has been assigned to the class');
  expect(sent['POST /v1/enterprises/7/groups/4/teachers/14']).toHaveLength(1);
});

it('Remove teacher offers the teachers and the teaching assistants of the class', async () => {
  const { dialog, user, sent } = await openDialog('remove', { teachers: [TEACHER], assistants: [ASSISTANT] });
  expect(await offeredIn(dialog, 3)).toEqual([
    'Choose a person',
    'The Teacher',
    'The Teaching assistant (teaching assistant)',
  ]);
  await user.selectOptions(within(dialog).getByLabelText('Teacher or assistant'), '14');
  await user.click(within(dialog).getByRole('button', { name: 'Remove teaching assistant' }));
  await screen.findByText('The teaching assistant has been removed from the class');
  expect(sent['DELETE /v1/enterprises/7/groups/4/teachers/14']).toHaveLength(1);
});
