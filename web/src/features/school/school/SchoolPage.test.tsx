// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { DEFAULT_THRESHOLDS } from '#contract/calls/reading-needs.ts';
import type { School } from '#contract/calls/school.ts';
import { academicYearOf, usualYear } from '#contract/school-calendar.ts';
import { today } from '../../../shared/school-day.ts';
import { type Role, toSpecifiedRole } from '#contract/permissions.ts';
import { fakeApi, rejectWith } from '../../../testing/fake-api.ts';
import { makeSchool, makeUser } from '../../../testing/make-school.ts';
import { renderInApp, signIn } from '../../../testing/render-in-app.tsx';
import SchoolPage from './SchoolPage.tsx';

/** Shows the page to an admin, or to another user. Returns the changes of the school that it sends. */
function showSchool(more: Partial<School>, save?: () => Response, user = makeUser()) {
  let school = makeSchool(more);
  signIn(user);
  const sent = fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: school }),
    'GET /v1/enterprises/7/terms': () => ({ acceptances: [] }),
    'POST /v1/enterprises/7': (body) => {
      if (save) return save();
      school = { ...school, recording_enabled: (body as { recording_enabled: number }).recording_enabled === 1 };
      return { enterprise: school };
    },
  });
  return { ...renderInApp(<SchoolPage />, '/school'), sent: () => sent['POST /v1/enterprises/7'] };
}

it('an admin can disable recordings while the school is locked, and enable them only afterwards', async () => {
  const { user, sent } = showSchool({ access: 'locked', recording_enabled: true });
  await user.click(await screen.findByRole('button', { name: 'Disable recordings' }));
  await screen.findByRole('heading', { name: 'Recordings Disabled' });
  expect(sent()).toEqual([{ recording_enabled: 0 }]);
  expect(screen.queryByRole('button', { name: 'Enable recordings' })).toBeNull();
  expect(screen.getByText(/enable recordings again when the account is open/)).toBeTruthy();
});

it('shows recordings as enabled when they could not be disabled', async () => {
  const { user } = showSchool({ access: 'locked', recording_enabled: true }, () =>
    rejectWith(500, { error: 'An error occurred', error_type: 'server' }),
  );
  await user.click(await screen.findByRole('button', { name: 'Disable recordings' }));
  expect(await screen.findByText(/Recordings are still enabled/)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Disable recordings' })).toBeTruthy();
});

it('offers recordings to an admin of an open school', async () => {
  showSchool({ access: 'open', recording_enabled: false });
  expect(await screen.findByRole('button', { name: 'Enable recordings' })).toBeTruthy();
});

it('an admin enables recordings after a question, and disables them again', async () => {
  const { user, sent } = showSchool({ access: 'open', recording_enabled: false });
  await user.click(await screen.findByRole('button', { name: 'Enable recordings' }));
  expect(sent()).toBeUndefined();
  const question = await screen.findByRole('dialog', { name: 'Record pupils reading aloud?' });
  await user.click(within(question).getByRole('button', { name: 'Enable recordings' }));
  await screen.findByRole('heading', { name: 'Recordings Enabled' });
  await waitFor(() => expect(sent()).toEqual([{ recording_enabled: 1 }]));
  const disable = await screen.findByRole('button', { name: 'Disable recordings' });
  await waitFor(() => expect(disable).toHaveProperty('disabled', false));
  await user.click(disable);
  await screen.findByRole('heading', { name: 'Recordings Disabled' });
  await waitFor(() => expect(sent()).toEqual([{ recording_enabled: 1 }, { recording_enabled: 0 }]));
});

it('a school that has accepted no terms has no list of them', async () => {
  showSchool({ access: 'open' });
  const terms = await screen.findByRole('region', { name: 'Accepted terms' });
  expect(within(terms).queryByRole('list')).toBeNull();
});

it('hides recordings from a school that cannot have them', async () => {
  showSchool({ access: 'open', can_enable_recordings: false });
  await screen.findByRole('heading', { name: 'Primary contact' });
  expect(screen.queryByText(/Recordings/)).toBeNull();
});

it('shows the name and URN of the school, and every detail of the primary and the billing contact', async () => {
  const contact = (type: 'primary' | 'billing', name: string) => ({
    id: type === 'primary' ? 1 : 2,
    type,
    contact_name: name,
    job_role: `Role of ${name}`,
    address_line_1: `Line 1 of ${name}`,
    address_line_2: `Line 2 of ${name}`,
    address_line_3: `Line 3 of ${name}`,
    address_line_4: `Line 4 of ${name}`,
    postcode: `Postcode of ${name}`,
    country_code: 'GBR',
    telephone: type === 'primary' ? '02079460001' : '02079460002',
    email: `${type}@school.example`,
  });
  const contacts = [contact('primary', 'Pat'), contact('billing', 'Bill')];
  showSchool({ name: 'Oak Row Primary', urn: '123456', contacts });
  const primary = (await screen.findByRole('heading', { name: 'Primary contact' })).parentElement!;
  const billing = screen.getByRole('heading', { name: 'Billing contact' }).parentElement!;
  for (const fact of ['Oak Row Primary', '123456']) expect(screen.getByText(fact, { selector: 'dd' })).toBeTruthy();
  for (const [box, { contact_name: name, telephone, email }] of [
    [primary, contacts[0]!],
    [billing, contacts[1]!],
  ] as const)
    expect([...box.querySelectorAll('strong, span, a')].map(({ textContent }) => textContent)).toEqual(
      expect.arrayContaining([
        name,
        `Role of ${name}`,
        `Line 1 of ${name}`,
        `Line 2 of ${name}`,
        `Line 3 of ${name}`,
        `Line 4 of ${name}`,
        `Postcode of ${name}`,
        'United Kingdom',
        telephone,
        email,
      ]),
    );
});

it.each([
  ['admin', true],
  ['teacher', false],
] as const)(
  'the page of the school offers Add Pupils to the %s, and Update the school details: %s',
  async (role, isOffered) => {
    showSchool({ user_manages: role === 'admin' }, undefined, makeUser({ enterprise_user_role: role, role }));
    expect((await screen.findByRole('link', { name: 'Add Pupils' })).getAttribute('href')).toBe('/school/add-readers');
    const link = screen.queryByRole('link', { name: 'Update the school details' });
    expect(link?.getAttribute('href')).toBe(isOffered ? '/edit-school' : undefined);
  },
);

it.each([
  ['business_manager', ['Update the contacts']],
  ['data_protection_officer', ['Data and privacy', 'Changes']],
  ['teaching_assistant', ['Tablets']],
] as const)(
  'the page of the school offers the role %s the links %j and makes only its own calls',
  async (role, links) => {
    signIn(makeUser({ enterprise_user_role: 'teacher', role }));
    const sent = fakeApi({
      'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool({ user_manages: false }) }),
      'GET /v1/enterprises/7/term-dates': () => ({ years: [] }),
      'GET /v1/enterprises/7/need-thresholds': () => ({}),
    });
    renderInApp(<SchoolPage />, '/school');
    await screen.findByText('Oak Row');
    expect(screen.queryAllByRole('link').map(({ textContent }) => textContent)).toEqual(links);
    for (const path of ['terms', 'support-access', 'second-factor', 'pupil-tags', 'connections'])
      expect(Object.keys(sent).filter((name) => name.includes(path))).toEqual([]);
  },
);

it.each<[Role, boolean]>([
  ['admin', true],
  ['reading_lead', true],
  ['teacher', false],
])('the page of the school lets the role %s change who is on “Who needs me”: %j', async (role, canChange) => {
  signIn(makeUser({ enterprise_user_role: toSpecifiedRole(role), role }));
  fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({
      enterprise: makeSchool({ user_manages: role === 'admin', features: ['new_statistics'] }),
    }),
    'GET /v1/enterprises/7/term-dates': () => ({ years: [] }),
    'GET /v1/enterprises/7/needs/thresholds': () => ({ thresholds: DEFAULT_THRESHOLDS }),
  });
  renderInApp(<SchoolPage />, '/school');
  await screen.findByText('A pupil is on the list who …');
  expect(screen.queryAllByRole('button', { name: 'Change who is on the list' })).toHaveLength(canChange ? 1 : 0);
  expect(screen.queryAllByText('Only an admin or a reading lead can change this.')).toHaveLength(canChange ? 0 : 1);
});

it('an admin changes the school hours, and a day that is too short is rejected', async () => {
  signIn(makeUser());
  let hours = { from: '08:45', to: '15:30', is_own: false };
  const sent = fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool({ features: ['new_statistics'] }) }),
    'GET /v1/enterprises/7/term-dates': () => ({ years: [] }),
    'GET /v1/enterprises/7/school-hours': () => ({ hours }),
    'POST /v1/enterprises/7/school-hours': (body) => {
      hours = { ...(body as { from: string; to: string }), is_own: true };
      return { hours };
    },
  });
  const { user } = renderInApp(<SchoolPage />, '/school');
  const card = await screen.findByRole('region', { name: 'School hours' });
  await within(card).findByText('08:45 to 15:30');
  await user.click(within(card).getByRole('button', { name: 'Change school hours' }));
  const ends = await screen.findByLabelText('School ends');
  const save = screen.getByRole('button', { name: 'Save school hours' });
  await user.clear(ends);
  await user.type(ends, '09:15');
  await user.click(save);
  await screen.findAllByText('School ends at least one hour after it starts.');
  expect(sent['POST /v1/enterprises/7/school-hours']).toBeUndefined();
  await user.clear(ends);
  await user.type(ends, '15:15');
  await user.click(save);
  await within(card).findByText('08:45 to 15:15');
  expect(sent['POST /v1/enterprises/7/school-hours']).toEqual([{ from: '08:45', to: '15:15' }]);
  expect(within(card).getByText(/These are your school’s hours/)).toBeTruthy();
});

it('a teacher sees the school hours and cannot change them', async () => {
  signIn(makeUser({ enterprise_user_role: 'teacher', role: 'teacher' }));
  fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({
      enterprise: makeSchool({ user_manages: false, features: ['new_statistics'] }),
    }),
    'GET /v1/enterprises/7/term-dates': () => ({ years: [] }),
    'GET /v1/enterprises/7/school-hours': () => ({ hours: { from: '08:45', to: '15:30', is_own: false } }),
  });
  renderInApp(<SchoolPage />, '/school');
  const card = await screen.findByRole('region', { name: 'School hours' });
  await within(card).findByText(/These are the usual hours/);
  expect(within(card).queryByRole('button')).toBeNull();
});

it('an admin adds an INSET day and removes it, and a day in the holidays is rejected with a message', async () => {
  signIn(makeUser());
  const year = academicYearOf(today());
  const half_terms = usualYear(year, 'scotland').map(({ from, to }) => ({ first_day: from, last_day: to }));
  let days_off: string[] = [];
  const sent = fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({
      enterprise: makeSchool({ features: ['new_statistics'], nation: 'scotland' }),
    }),
    'GET /v1/enterprises/7/term-dates': () => ({
      years: [year - 1, year, year + 1].map((academic_year) => ({
        academic_year,
        is_own: false,
        half_terms,
        days_off: academic_year === year ? days_off : [],
      })),
    }),
    'POST /v1/enterprises/7/days-off': (body) => {
      const { days } = body as { days: string[] };
      if (days.includes(`${year}-12-28`))
        return rejectWith(422, {
          error: 'Check the marked fields.',
          error_type: 'validation',
          errors: { 'days.0': ['28 December is in the holidays. Enter a day within a half-term.'] },
        });
      days_off = days;
      return { years: [] };
    },
  });
  const { user } = renderInApp(<SchoolPage />, '/school');
  const card = await screen.findByRole('region', { name: 'Term dates' });
  await user.selectOptions(await within(card).findByLabelText('Academic year'), String(year));
  await within(card).findByText(/These are the usual dates of Scotland/);
  const field = await within(card).findByLabelText('Day without school');
  await user.type(field, `${year}-12-28`);
  await user.click(within(card).getByRole('button', { name: 'Add the day' }));
  await within(card).findByText(/is in the holidays/);
  await user.clear(field);
  await user.type(field, `${year}-11-24`);
  await user.click(within(card).getByRole('button', { name: 'Add the day' }));
  await user.click(await within(card).findByRole('button', { name: /^Remove / }));
  await within(card).findByText(/None in /);
  expect(sent['POST /v1/enterprises/7/days-off']).toEqual(
    [[`${year}-12-28`], [`${year}-11-24`], []].map((days) => ({ academic_year: year, days })),
  );
});

it('an admin chooses how emails name pupils, and a teacher sees the choice', async () => {
  let school = makeSchool({});
  signIn(makeUser());
  const sent = fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: school }),
    'POST /v1/enterprises/7': (body) => {
      school = { ...school, ...(body as object) };
      return { enterprise: school };
    },
  });
  const { user, unmount } = renderInApp(<SchoolPage />, '/school');
  const select = await screen.findByLabelText('The weekly email names pupils by');
  await user.selectOptions(select, 'none');
  await waitFor(() => expect(sent['POST /v1/enterprises/7']).toEqual([{ names_in_emails: 'none' }]));
  await waitFor(() => expect(select).toHaveProperty('value', 'none'));
  unmount();
  signIn(makeUser({ enterprise_user_role: 'teacher', role: 'teacher' }));
  renderInApp(<SchoolPage />, '/school');
  await screen.findByText('No names: 3 pupils of Year 2');
});
