// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import type { SchoolSignIn } from '#contract/calls/sign-in-providers.ts';
import { fakeApi, rejectWith } from '../../../../testing/fake-api.ts';
import { makeUser } from '../../../../testing/make-school.ts';
import { renderInApp, signIn } from '../../../../testing/render-in-app.tsx';
import { ProviderOnly } from './ProviderOnly.tsx';

const SET = 'POST /v1/enterprises/7/provider-only';
const connection = { tenant: 'oakrow.example', counts_second_factor: false, created_at: '2026-09-01T08:00:00.000Z' };
const SIGN_IN: SchoolSignIn = {
  connections: [
    { provider: 'microsoft', name: 'Microsoft', connection, own_account: null },
    { provider: 'google', name: 'Google', connection, own_account: null },
    { provider: 'trust', name: 'Trust', connection: null, own_account: null },
  ],
  provider_only: false,
  not_linked: [
    { id: 4, first_name: 'Ben', last_name: 'Hall', role: 'teacher' },
    { id: 5, first_name: 'Cara', last_name: 'Nunn', role: 'business_manager' },
  ],
};

let reply: () => object;
let sent: Record<string, unknown[]>;
beforeEach(() => {
  reply = () => SIGN_IN;
  sent = fakeApi({ [SET]: () => reply() });
});

function show(more: Partial<SchoolSignIn> = {}, canChange = true) {
  signIn(makeUser());
  return renderInApp(<ProviderOnly signIn={{ ...SIGN_IN, ...more }} canChange={canChange} />, '/school').user;
}
const box = () => screen.findByRole('checkbox', { name: 'Staff sign in with Microsoft and Google only' });

it('an admin turns passwords off after reading whom it holds up', async () => {
  const user = show();
  await box();
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Ben Hall (Teacher)',
    'Cara Nunn (Business manager)',
  ]);
  await user.click(await box());
  const question = await screen.findByRole('dialog', { name: 'Sign in with Microsoft and Google only?' });
  expect(question.textContent).toContain('2 people have not linked an account yet.');
  expect(sent[SET]).toBeUndefined();
  await user.click(within(question).getByRole('button', { name: 'Turn passwords off' }));
  await waitFor(() => expect(sent[SET]).toEqual([{ provider_only: true }]));
});

it('passwords are turned on again without a question, and an error says why they were not', async () => {
  reply = () => rejectWith(500, { error: 'It could not be saved.', error_type: 'server' });
  const user = show({ provider_only: true, not_linked: [] });
  expect(await box()).toHaveProperty('checked', true);
  await user.click(await box());
  await screen.findByText(/It could not be saved\./);
  expect(sent[SET]).toEqual([{ provider_only: false }]);
});

it('says that everyone is ready', async () => {
  const user = show({ not_linked: [] });
  await user.click(await box());
  expect(screen.queryByRole('list')).toBeNull();
  await screen.findByText(/All your staff have linked an account\./);
});

it('cannot be changed by support', async () => {
  show({}, false);
  expect(await box()).toHaveProperty('disabled', true);
});
