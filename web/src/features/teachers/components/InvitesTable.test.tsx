// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Invite } from '#contract/calls/invites.ts';
import { fakeApi, rejectWith } from '../../../testing/fake-api.ts';
import { makeUser } from '../../../testing/make-school.ts';
import { renderInApp, signIn } from '../../../testing/render-in-app.tsx';
import { InvitesTable } from './InvitesTable.tsx';

const ID = '7a1c0000-0000-4000-8000-000000000001';
const RESEND = `POST /v1/enterprises/7/invites/${ID}/resend`;

const makeInvite = (more: Partial<Invite> = {}): Invite => ({
  id: ID,
  status: 'pending',
  email: 'ivy@school.example',
  name: 'Ivy Wren',
  created_at: '2026-01-05T12:00:00.000Z',
  expires_at: '2999-01-19T12:00:00.000Z',
  is_held: false,
  role: 'teacher',
  groups: [],
  inviter: { id: 3, first_name: 'Ada', last_name: 'Okafor' },
  ...more,
});

/** Shows an invite to an admin, whose resending is answered as given. */
function showInvite(invite: Invite, resend: () => object = () => ({ invite })) {
  signIn(makeUser());
  const sent = fakeApi({ 'GET /v1/enterprises/7/invites': () => ({ invites: [invite] }), [RESEND]: resend });
  return { ...renderInApp(<InvitesTable canInvite canDelete />, '/teachers'), sent };
}
const resendButton = (text: string) =>
  screen.findByRole('button', { name: `${text} the invitation to ivy@school.example` });

it('a failed resend resets its button without a message', async () => {
  const { user, sent } = showInvite(makeInvite(), () =>
    rejectWith(500, { error: 'An error occurred', error_type: 'server' }),
  );
  await user.click(await resendButton('Resend'));
  await waitFor(() => expect(sent[RESEND]).toHaveLength(1));
  await waitFor(async () => expect(await resendButton('Resend')).toHaveProperty('disabled', false));
  expect(screen.queryByRole('alert')).toBeNull();
  expect(screen.queryByText(/An error occurred/)).toBeNull();
});

it('shows the day on which an invite expires, and none once it is past', async () => {
  const shownDays = async (expires_at: string) => {
    const page = showInvite(makeInvite({ expires_at }));
    const row = (await within(page.container).findByText('Ivy Wren')).closest('tr')!;
    page.unmount();
    return row.textContent;
  };
  expect(await shownDays('2999-01-19T12:00:00.000Z')).toContain('19 January 2999');
  expect(await shownDays('2026-01-19T12:00:00.000Z')).not.toContain('19 January');
});
