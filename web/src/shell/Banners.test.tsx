// @vitest-environment happy-dom
import type { User } from '#contract/calls/access.ts';
import type { School } from '#contract/calls/school.ts';
import { expect, it } from 'vitest';
import { renderInApp } from '../testing/render-in-app.tsx';
import { Banners } from './Banners.tsx';

const person = (more: Partial<User> = {}) =>
  ({
    email: 'head@school.example',
    enterprise_id: 7,
    enterprise_user_role: 'admin',
    role: 'admin',
    email_confirmation_due_at: null,
    ...more,
  }) as User;
const school = {
  user_manages: true,
  access: 'open',
  subscription: {
    package_id: 5,
    payment_provider: 'invoice',
    is_trial: false,
    has_expired: false,
    meta: { is_nearing_end: true, num_of_days_before_end: 1 },
  },
} as School;

it('a banner asks the user to confirm their address, by when and why, until it is confirmed', () => {
  const due = person({ email_confirmation_due_at: '2026-11-25T12:00:00.000Z' });
  const { getByRole } = renderInApp(<Banners user={due} school={undefined} />);
  const text = getByRole('complementary', { name: 'Confirmation' }).textContent;
  expect(text).toContain('Confirm your email address by 25 November 2026');
  expect(text).toContain('head@school.example');
  expect(getByRole('link', { name: 'Change the address' }).getAttribute('href')).toBe('/account');
});

it('there is no banner for a confirmed address', () => {
  const { queryByRole } = renderInApp(<Banners user={person()} school={undefined} />);
  expect(queryByRole('complementary')).toBeNull();
});

it('the banner lets an administrator extend the subscription, and refers a teacher to the administrator', () => {
  const admin = renderInApp(<Banners user={person()} school={school} />);
  expect(admin.getByRole('link', { name: 'Extend' }).getAttribute('href')).toBe('/fill-billing-details?package=5');
  admin.unmount();
  const teacher = person({ enterprise_user_role: 'teacher', role: 'teacher' });
  const { getByRole, queryByRole } = renderInApp(
    <Banners user={teacher} school={{ ...school, user_manages: false }} />,
  );
  expect(getByRole('complementary').textContent).toContain('please speak to your school administrator');
  expect(queryByRole('link')).toBeNull();
});
