// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { School } from '#contract/calls/school.ts';
import { type AssignableRole, toSpecifiedRole } from '#contract/permissions.ts';
import { fakeApi, rejectWith } from '../../../../testing/fake-api.ts';
import { makeClass, makeSchool, makeUser } from '../../../../testing/make-school.ts';
import { renderInApp, signIn } from '../../../../testing/render-in-app.tsx';
import TeachersPage from '../TeachersPage.tsx';

type Person = School['users'][number];
const makePerson = (id: number, first_name: string, role: AssignableRole): Person => ({
  id,
  first_name,
  last_name: 'Okafor',
  email: `${first_name.toLowerCase()}@school.example`,
  user_manages: true,
  enterprise_user_role: toSpecifiedRole(role),
  role,
});

const ADA = makePerson(3, 'Ada', 'admin');
const BEN = makePerson(4, 'Ben', 'reading_lead');
const CLEO = makePerson(5, 'Cleo', 'teacher');
const DEV = makePerson(6, 'Dev', 'teaching_assistant');
const EVE = makePerson(8, 'Eve', 'business_manager');
const BADGERS = makeClass({ id: 1, name: '3 Badgers', teachers: [CLEO], assistants: [DEV] });
const OWLS = makeClass({ id: 2, name: '4 Owls', teachers: [CLEO] });
const HARES = makeClass({ id: 9, name: '5 Hares', teachers: [BEN, CLEO, ADA] });

const LEAVE = 'POST /v1/enterprises/7/users/5/leave';
const SCHOOL = 'GET /v1/enterprises/7?include=invoices';

/** Opens the dialog in which Cleo leaves. `answer` replies to the call, and can change the school. */
async function openLeaving(classes: School['groups'], answer: (school: School) => object = () => ({})) {
  signIn(makeUser());
  const school = makeSchool({ users: [ADA, BEN, CLEO, DEV, EVE], groups: classes });
  const sent = fakeApi({
    [SCHOOL]: () => ({ enterprise: { ...school } }),
    'GET /v1/enterprises/7/invites': () => ({ invites: [] }),
    [LEAVE]: () => answer(school),
  });
  const page = renderInApp(<TeachersPage />, '/teachers');
  await page.user.click(await screen.findByLabelText('Actions for Cleo Okafor'));
  await page.user.click(await screen.findByRole('button', { name: 'Delete Cleo Okafor' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete Cleo Okafor?' }));
  const confirm = () => page.user.click(dialog.getByRole('button', { name: 'Delete teacher' }));
  return { ...page, sent, dialog, confirm };
}

const selects = (dialog: { queryAllByRole: (role: string) => HTMLElement[] }) =>
  dialog.queryAllByRole('combobox') as HTMLSelectElement[];
const leftOut = (school: School) => {
  school.users = school.users.filter(({ id }) => id !== CLEO.id);
  return {};
};

it('says what happens to a colleague without classes, and asks for nothing', async () => {
  const { dialog, confirm, sent } = await openLeaving([], leftOut);
  expect(dialog.getByText(/^They can no longer log in to your school\./)).toBeTruthy();
  expect(dialog.getByText(/^Notes that they wrote keep their name\./)).toBeTruthy();
  expect(selects(dialog)).toEqual([]);
  expect(dialog.queryByText(/will have no teacher/)).toBeNull();
  await confirm();
  expect((await screen.findAllByText('Cleo Okafor has been deleted')).length).toBeGreaterThan(0);
  expect(sent[LEAVE]).toEqual([{ handovers: [] }]);
  expect(screen.queryByRole('row', { name: /^Cleo Okafor/ })).toBeNull();
});

it('offers a new teacher for each class that no one else teaches, and names the teachers of the others', async () => {
  const { dialog } = await openLeaving([BADGERS, OWLS, HARES, makeClass({ id: 11, name: '6 Rooks', teachers: [BEN] })]);
  expect(selects(dialog).map(({ labels }) => labels?.[0]?.textContent)).toEqual([
    'New teacher of 3 Badgers',
    'New teacher of 4 Owls',
  ]);
  for (const select of selects(dialog))
    expect(Array.from(select.options, ({ text }) => text)).toEqual(['No teacher for now', 'Ada Okafor', 'Ben Okafor']);
  expect(dialog.getByText('5 Hares').parentElement?.textContent).toBe(
    '5 HaresAlso taught by Ben Okafor and Ada Okafor',
  );
  expect(dialog.queryByText(/6 Rooks/)).toBeNull();
  expect(document.activeElement).toBe(selects(dialog)[0]);
});

it('counts the classes that will have no teacher', async () => {
  const { dialog, user } = await openLeaving([BADGERS, OWLS]);
  expect(dialog.getByText('2 classes of theirs, with the pupils in them, will have no teacher.')).toBeTruthy();
  await user.selectOptions(dialog.getByLabelText('New teacher of 4 Owls'), 'Ben Okafor');
  expect(dialog.getByText('1 class of theirs, with the pupils in it, will have no teacher.')).toBeTruthy();
  await user.selectOptions(dialog.getByLabelText('New teacher of 3 Badgers'), 'Ben Okafor');
  expect(dialog.queryByText(/will have no teacher/)).toBeNull();
});

it('hands over the classes with a new teacher, and says so', async () => {
  const { dialog, user, confirm, sent } = await openLeaving([BADGERS, OWLS], leftOut);
  await user.selectOptions(dialog.getByLabelText('New teacher of 4 Owls'), 'Ben Okafor');
  await confirm();
  expect(
    (await screen.findAllByText('Cleo Okafor has been deleted, and Ben Okafor now teaches 4 Owls')).length,
  ).toBeGreaterThan(0);
  expect(sent[LEAVE]).toEqual([{ handovers: [{ group_id: 2, user_id: 4 }] }]);
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('counts several classes that were handed over', async () => {
  const { dialog, user, confirm } = await openLeaving([BADGERS, OWLS], leftOut);
  for (const name of ['3 Badgers', '4 Owls'])
    await user.selectOptions(dialog.getByLabelText(`New teacher of ${name}`), 'Ada Okafor');
  await confirm();
  expect(
    (await screen.findAllByText('Cleo Okafor has been deleted, and 2 classes have a new teacher')).length,
  ).toBeGreaterThan(0);
});

it('keeps the choices when nothing was done, without a new teacher who has left', async () => {
  const text =
    'A new teacher whom you chose has left or no longer teaches, so we changed nothing. Choose someone else.';
  const { dialog, user, confirm, sent } = await openLeaving([BADGERS, OWLS], (school) => {
    school.users = school.users.filter(({ id }) => id !== BEN.id);
    return rejectWith(409, { error: text, error_type: 'conflict' });
  });
  await user.selectOptions(dialog.getByLabelText('New teacher of 3 Badgers'), 'Ada Okafor');
  await user.selectOptions(dialog.getByLabelText('New teacher of 4 Owls'), 'Ben Okafor');
  await confirm();
  expect(await dialog.findByText(text)).toBeTruthy();
  expect(dialog.getByText('The teacher has not been deleted.')).toBeTruthy();
  expect(selects(dialog).map(({ value }) => value)).toEqual(['3', '']);
  expect(dialog.queryByRole('option', { name: 'Ben Okafor' })).toBeNull();
  await confirm();
  expect(sent[LEAVE]).toEqual([
    {
      handovers: [
        { group_id: 1, user_id: 3 },
        { group_id: 2, user_id: 4 },
      ],
    },
    { handovers: [{ group_id: 1, user_id: 3 }] },
  ]);
});
