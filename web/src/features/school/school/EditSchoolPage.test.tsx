// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { School } from '#contract/calls/school.ts';
import { fakeApi, rejectWith } from '../../../testing/fake-api.ts';
import { makeSchool, makeUser } from '../../../testing/make-school.ts';
import { renderRoutes, signIn } from '../../../testing/render-in-app.tsx';
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

const BOTH = [contact('primary', 'pat@school.example'), contact('billing', 'bills@school.example')];

function editSchool(save: () => object = () => ({ enterprise: makeSchool() }), contacts = BOTH, person = makeUser()) {
  signIn(person);
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

it('the form of the school saves the school and both contacts in one request', async () => {
  const { user, sent } = editSchool();
  fireEvent.change(await screen.findByLabelText('School name'), { target: { value: 'Oak Row Primary' } });
  await user.click(saveButton());
  await screen.findByRole('heading', { name: 'School' });
  expect(Object.keys(sent).filter((name) => name.startsWith('POST'))).toEqual([SAVE]);
  expect(sent[SAVE]).toMatchObject([
    {
      school: { name: 'Oak Row Primary' },
      primary: { email: 'pat@school.example', country_code: 'GBR' },
      billing: { type: 'billing' },
    },
  ]);
});

it('the form of the school shows an error of a nested field at the field', async () => {
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

it('the form of the school asks before the user leaves when only “Billing same as primary” has changed', async () => {
  const { user } = editSchool();
  await user.click(await screen.findByLabelText('Billing same as primary'));
  await user.click(screen.getByText('Cancel'));
  expect(await screen.findByRole('dialog', { name: 'Leave this page?' })).toBeTruthy();
});

it.each([
  ['without a contact', [], true],
  ['with a primary contact alone', BOTH.slice(0, 1), true],
  ['with the same billing contact', [BOTH[0]!, contact('billing', 'pat@school.example')], true],
  ['with another billing contact', BOTH, false],
])(
  'the form of the school starts with “Billing same as primary” ticked unless the school has another billing contact: %s',
  async (_, contacts, isTicked) => {
    editSchool(undefined, contacts);
    const box = await screen.findByLabelText<HTMLInputElement>('Billing same as primary');
    expect([box.checked, screen.getAllByLabelText('Postcode').length]).toEqual([isTicked, isTicked ? 1 : 2]);
  },
);

it('the form of the school redirects a teacher to the page of the school', async () => {
  editSchool(undefined, BOTH, makeUser({ enterprise_user_role: 'teacher', role: 'teacher' }));
  expect(await screen.findByRole('heading', { name: 'School' })).toBeTruthy();
  expect(screen.queryByLabelText('School name')).toBeNull();
});

it.each([
  [undefined, undefined],
  ['wales', 'wales'],
  ['', null],
])('a nation changed to %j is sent as %j, so that an unchanged one follows the postcode', async (value, nation) => {
  const { user, sent } = editSchool();
  const field = await screen.findByLabelText('Nation');
  if (value !== undefined) fireEvent.change(field, { target: { value } });
  await user.click(saveButton());
  await screen.findByRole('heading', { name: 'School' });
  expect(sent[SAVE]).toMatchObject([{ school: { name: 'Oak Row' } }]);
  expect((sent[SAVE] as { school: { nation?: string } }[])[0]?.school.nation).toBe(nation);
});

const CONTACTS = 'POST /v1/enterprises/7/contacts';

/** Opens the page for a business manager. */
function editContacts(contacts = BOTH) {
  signIn(makeUser({ enterprise_user_role: 'teacher', role: 'business_manager' }));
  const sent = fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool({ contacts, user_manages: false }) }),
    [CONTACTS]: () => ({}),
  });
  const routes = [
    { path: '/edit-school', Component: EditSchoolPage },
    { path: '/school', element: <h1>School</h1> },
  ];
  return { ...renderRoutes(routes, '/edit-school'), sent };
}

it('a business manager changes the billing contact alone, and not the name of the school', async () => {
  const { user, sent } = editContacts();
  expect(await screen.findByRole('heading', { name: 'Update the contacts' })).toBeTruthy();
  expect(screen.queryByLabelText('School name')).toBeNull();
  fireEvent.change(screen.getAllByLabelText('Contact name')[1]!, { target: { value: 'Bea Moss' } });
  await user.click(saveButton());
  await screen.findByRole('heading', { name: 'School' });
  expect(sent[CONTACTS]).toMatchObject([{ contact: { type: 'billing', contact_name: 'Bea Moss' } }]);
  expect(sent[SAVE]).toBeUndefined();
});

it('a business manager who makes both contacts the same sends the primary one as the billing one', async () => {
  const { user, sent } = editContacts();
  await user.click(await screen.findByLabelText('Billing same as primary'));
  await user.click(saveButton());
  await screen.findByRole('heading', { name: 'School' });
  expect(sent[CONTACTS]).toMatchObject([{ contact: { type: 'billing', email: 'pat@school.example' } }]);
});

it('a business manager of a school without a billing contact saves the primary contact alone', async () => {
  const { user, sent } = editContacts(BOTH.slice(0, 1));
  fireEvent.change(await screen.findByLabelText('Phone'), { target: { value: '02079460001' } });
  await user.click(saveButton());
  await screen.findByRole('heading', { name: 'School' });
  expect(sent[CONTACTS]).toMatchObject([{ contact: { type: 'primary', telephone: '02079460001' } }]);
});
