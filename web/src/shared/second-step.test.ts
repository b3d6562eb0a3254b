import { expect, test } from 'vitest';
import { readSecondStep } from './second-step.ts';

test('a fragment contains the second step after a sign-in through a provider', () => {
  expect(readSecondStep('#step=abc&methods=authenticator+recovery_code')).toEqual({
    token: 'abc',
    methods: ['authenticator', 'recovery_code'],
  });
});

test.each([
  ['', null],
  ['#main', null],
  ['#step=&methods=passkey', null],
  ['#step=abc&methods=unknown', { token: 'abc', methods: [] }],
])('%j is %j', (fragment, step) => {
  expect(readSecondStep(fragment)).toEqual(step);
});
