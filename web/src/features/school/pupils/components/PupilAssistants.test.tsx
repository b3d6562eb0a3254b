// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { School } from '#contract/calls/school.ts';
import { fakeApi } from '../../../../testing/fake-api.ts';
import { makeClass, makePupil, makeSchool, makeUser } from '../../../../testing/make-school.ts';
import { renderInApp, signIn } from '../../../../testing/render-in-app.tsx';
import { PupilAssistants } from './PupilAssistants.tsx';

const makeAssistant = (id: number, first_name: string): School['users'][number] => ({
  id,
  first_name,
  last_name: 'Price',
  email: `${first_name.toLowerCase()}@school.example`,
  enterprise_user_role: 'teacher',
  role: 'teaching_assistant',
  user_manages: false,
});
const [ann, ben, cat] = [makeAssistant(21, 'Ann'), makeAssistant(22, 'Ben'), makeAssistant(23, 'Cat')];
const LIST = '/v1/enterprises/7/readers/5/assistants';

/** Renders the part of the page with the assistants of the school, of the pupil's class, and of the pupil. */
function open(users: School['users'], ofClass: School['users'] = [], named: School['users'] = []) {
  signIn(makeUser());
  const assistants = [...named];
  const school = makeSchool({ users, groups: [makeClass({ assistants: ofClass })] });
  const pupil = makePupil({ group: { id: 4, name: '3 Badgers' } });
  const sent = fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: school }),
    [`GET ${LIST}`]: () => ({
      assistants: assistants.map(({ id, first_name, last_name }) => ({ id, first_name, last_name })),
    }),
    [`POST ${LIST}/22`]: () => {
      assistants.push(ben);
      return {};
    },
    [`DELETE ${LIST}/22`]: () => {
      assistants.pop();
      return {};
    },
  });
  return { sent, ...renderInApp(<PupilAssistants pupil={pupil} school={school} />) };
}

it('shows nothing and asks for nothing in a school without teaching assistants', () => {
  const { sent } = open([]);
  expect(screen.queryByRole('heading', { name: 'Teaching assistants' })).toBeNull();
  expect(sent[`GET ${LIST}`]).toBeUndefined();
});

it('names the assistants of the class, and offers the others', async () => {
  const { user } = open([ann, ben, cat], [ann], [cat]);
  expect(await screen.findByText('Ann Price helps in 3 Badgers.')).toBeTruthy();
  await screen.findByText('Cat Price');
  await user.click(screen.getByRole('button', { name: 'Add a teaching assistant' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Who helps Ada Baker?' }));
  expect(dialog.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
    'Choose a teaching assistant',
    'Ben Price',
  ]);
});

it('adds an assistant, and removes them again', async () => {
  const { user, sent } = open([ann, ben]);
  await user.click(await screen.findByRole('button', { name: 'Add a teaching assistant' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Who helps Ada Baker?' }));
  await user.click(dialog.getByRole('button', { name: 'Add' }));
  expect((await dialog.findAllByText('Choose a teaching assistant.')).length).toBeGreaterThan(0);
  await user.selectOptions(dialog.getByRole('combobox', { name: 'Teaching assistant' }), 'Ben Price');
  await user.click(dialog.getByRole('button', { name: 'Add' }));
  await user.click(await screen.findByRole('button', { name: 'Remove Ben Price from Ada Baker' }));
  await waitFor(() => expect(sent[`DELETE ${LIST}/22`]).toHaveLength(1));
  expect(await screen.findByText(/^No teaching assistant sees this pupil/)).toBeTruthy();
});
