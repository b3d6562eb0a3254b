// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { FACTOR_RUN_UP_DAYS } from '#contract/limits.ts';
import { plusDays } from '#contract/school-calendar.ts';
import { today } from '../../../../shared/school-day.ts';
import { fakeApi } from '../../../../testing/fake-api.ts';
import { makeUser } from '../../../../testing/make-school.ts';
import { renderInApp, signIn } from '../../../../testing/render-in-app.tsx';
import { FactorPolicy, policyInWords } from './FactorPolicy.tsx';

const PATH = '/v1/enterprises/7/second-factor';
const policy = (required: 'optional' | 'admins' | 'all', admins: string | null, teachers: string | null) => ({
  required,
  admins_from: admins,
  teachers_from: teachers,
});

it.each([
  [policy('optional', null, null), 'Optional for everyone.'],
  [policy('admins', '2099-12-01', null), 'Required for admins from 1 December 2099, optional for teachers.'],
  [policy('all', '2020-01-02', '2020-01-02'), 'Required for all staff since 2 January 2020.'],
  [
    policy('all', '2020-01-02', '2099-12-01'),
    'Required for admins since 2 January 2020, and for teachers from 1 December 2099.',
  ],
])('the policy of second factors %o is described in words', (given, words) => {
  expect(policyInWords(given)).toBe(words);
});

it('the policy of second factors names the staff without one, and asks for a day only where one is needed', async () => {
  signIn(makeUser());
  const reply = {
    policy: policy('admins', '2020-01-02', null),
    without_factor: [{ id: 4, first_name: 'Ivy', last_name: 'Wren', enterprise_user_role: 'teacher', role: 'teacher' }],
  };
  const sent = fakeApi({ [`GET ${PATH}`]: () => reply, [`POST ${PATH}`]: () => reply });
  const { user } = renderInApp(<FactorPolicy />, '/school');
  const card = await screen.findByRole('region', { name: 'Login security' });
  expect(await within(card).findByText('Ivy Wren')).toBeTruthy();
  await user.click(within(card).getByRole('button', { name: 'Change who needs one' }));
  expect(await screen.findByLabelText('Admins')).toHaveProperty('checked', true);
  expect(screen.queryByLabelText('From')).toBeNull();
  await user.click(screen.getByLabelText('All staff'));
  expect(screen.getByLabelText('From')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent[`POST ${PATH}`]).toMatchObject([{ required: 'all' }]));
});

it('proposes to teachers a day in time, and keeps the day that admins know', async () => {
  signIn(makeUser());
  const [known, earliest] = [plusDays(today(), 5), plusDays(today(), FACTOR_RUN_UP_DAYS)];
  fakeApi({ [`GET ${PATH}`]: () => ({ policy: policy('admins', known, null), without_factor: [] }) });
  const { user } = renderInApp(<FactorPolicy />, '/school');
  await user.click(await screen.findByRole('button', { name: 'Change who needs one' }));
  expect(await screen.findByLabelText('From')).toHaveProperty('value', known);
  await user.click(screen.getByLabelText('All staff'));
  expect(screen.getByLabelText('From')).toHaveProperty('value', earliest);
  await user.click(screen.getByLabelText('Admins'));
  expect(screen.getByLabelText('From')).toHaveProperty('value', known);
});
