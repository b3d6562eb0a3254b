// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { School } from '#contract/calls/school.ts';
import { fakeApi, rejectWith } from '../../testing/fake-api.ts';
import { makeSchool, makeUser } from '../../testing/make-school.ts';
import { renderRoutes, signIn } from '../../testing/render-in-app.tsx';
import EditSchoolPage from './EditSchoolPage.tsx';

const contact = (type: 'primary' | 'billing', email: string): School['contacts'][number] => ({
  id: type === 'primary' ? 1 : 2,
  type,
  contact_name: 'Pat Office',
  job_role: null,
  address_line_1: '1 Mill Lane',
  address_line_2: null,
  address_line_3: null,
  address_line_4: null,
  postcode: 'SW1A 1AA',
  country_code: 'GBR',
  telephone: '02079460000',
  email,
});

// By its text: roles are slow to compute on a page with two lists of every country.
const saveButton = () => screen.getByText('Save').closest('button')!;

const SAVE = 'POST /v1/enterprises/7/details';

function editSchool(save: () => object = () => ({ enterprise: makeSchool() }), user = makeUser()) {
  signIn(user);
  const contacts = [contact('primary', 'pat@school.example'), contact('billing', 'bills@school.example')];
  const sent = fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool({ contacts }) }),
    [SAVE]: save,
  });
  const page = renderRoutes(
    [
      { path: '/edit-school', Component: EditSchoolPage },
      { path: '/school', element: <h1>School</h1> },
    ],
    '/edit-school',
  );
  return { ...page, sent };
}

it('saves the school and both contacts in one request', async () => {
  const { user, sent } = editSchool();
  fireEvent.change(await screen.findByLabelText('School name'), { target: { value: 'Oak Row Primary' } });
  await user.click(saveButton());
  await screen.findByRole('heading', { name: 'School' });
  expect(Object.keys(sent).filter((name) => name.startsWith('POST'))).toEqual([SAVE]);
  expect(sent[SAVE]).toMatchObject([
    { school: { name: 'Oak Row Primary' }, primary: { email: 'pat@school.example' }, billing: { type: 'billing' } },
  ]);
});

it('shows an error of a nested field at the field', async () => {
  const { user } = editSchool(() =>
    rejectWith(422, {
      error: 'Some details are wrong',
      error_type: 'validation',
      errors: { 'billing.telephone': ['Enter a telephone number.'] },
    }),
  );
  await screen.findByLabelText('School name');
  await user.click(saveButton());
  await screen.findByText('Enter a telephone number.', { selector: 'a' });
  const fields = screen.getAllByLabelText('Phone');
  expect(fields.map((field) => field.getAttribute('aria-invalid'))).toEqual([null, 'true']);
});

it('asks before it is left when only “Billing same as primary” has changed', async () => {
  const { user } = editSchool();
  await user.click(await screen.findByLabelText('Billing same as primary'));
  await user.click(screen.getByText('Cancel'));
  expect(await screen.findByRole('dialog', { name: 'Leave this page?' })).toBeTruthy();
});

it('sends a teacher to the page of the school', async () => {
  editSchool(undefined, makeUser({ enterprise_user_role: 'teacher' }));
  expect(await screen.findByRole('heading', { name: 'School' })).toBeTruthy();
  expect(screen.queryByLabelText('School name')).toBeNull();
});
