import { expect, test } from 'vitest';
import { pageOfLoginStep, readLoginStep } from '#contract/login-step.ts';
import { readEnrolment } from './second-step.ts';

test('a login goes on to the page of its second step, whose token only the cookie has', () => {
  const step = { token: 'abc', methods: ['authenticator', 'recovery_code'] as const };
  const { to, keep } = pageOfLoginStep({ ...step, methods: [...step.methods] }, '/pupils?page=2');
  expect(to).toBe('/login/second-step?redirect=%2Fpupils%3Fpage%3D2');
  expect(readLoginStep(keep.step ?? undefined)).toEqual(step);
});

test('a login without a factor goes on to its enrolment, whose token only the fragment has', () => {
  const { to, keep } = pageOfLoginStep({ token: 'a/b', methods: [] }, undefined);
  expect([to, keep.step]).toEqual(['/login/enrolment#step=a%2Fb', null]);
  expect(readEnrolment(to.slice(to.indexOf('#')))).toBe('a/b');
});

test.each(['', '#main', '#step='])('the fragment %j contains no enrolment', (fragment) => {
  expect(readEnrolment(fragment)).toBeNull();
});

test.each([undefined, '', 'abc', '{}', '{"token":1,"methods":[]}', '{"token":"abc"}'])(
  'the cookie %j contains no second step',
  (kept) => {
    expect(readLoginStep(kept)).toBeUndefined();
  },
);
