// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Invited } from '#contract/calls/invites.ts';
import { makeUser } from '../../../../testing/make-school.ts';
import { renderInApp, signIn } from '../../../../testing/render-in-app.tsx';
import { InviteOutcome, RemovedInvites } from './InviteOutcome.tsx';

const invited = (email: string, is_held = false, works_elsewhere = false) => ({
  id: email,
  email,
  name: '',
  is_held,
  works_elsewhere,
});

function show(outcome: Invited) {
  signIn(makeUser());
  renderInApp(<InviteOutcome outcome={outcome} onRemoved={() => undefined} />);
}

it('the outcome of invitations names the invited teachers under the specified text, without a warning when all were invited', () => {
  show({ sent: [invited('ivy@school.example')], failed: [] });
  const notice = screen.getByText('An invitation has been sent to the teachers').parentElement;
  expect(notice?.textContent).toContain('ivy@school.example');
  expect(screen.queryByRole('img', { name: 'Please note' })).toBeNull();
});

it('the outcome of invitations lists failed ones in a warning with the email address and the issue of each, and reports none as sent', () => {
  const failed = [
    { email: 'ivy@school.example', name: 'Ivy', error: 'This person has an invitation already.' },
    { email: 'no address', name: '', error: 'Enter an email address.' },
  ];
  show({ sent: [], failed });
  const notice = screen.getByText('2 invitations could not be sent').parentElement?.parentElement;
  expect(within(notice!).getByRole('img', { name: 'Please note' })).toBeTruthy();
  expect(
    within(notice!)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual(['ivy@school.example: This person has an invitation already.', 'no address: Enter an email address.']);
  expect(screen.queryByText('An invitation has been sent to the teachers')).toBeNull();
});

it('the outcome of invitations says that they wait while the sender has not confirmed their address', () => {
  show({ sent: [invited('ivy@school.example', true)], failed: [] });
  expect(screen.getByText('The invitations will be sent once you have confirmed your address')).toBeTruthy();
  expect(screen.queryByText('An invitation has been sent to the teachers')).toBeNull();
});

it('the outcome of invitations says who works at another school and accepts while logged in', () => {
  show({ sent: [invited('ivy@school.example', false, true), invited('ben@school.example')], failed: [] });
  expect(screen.getAllByText(/already works at another school/).map(({ textContent }) => textContent)).toEqual([
    'ivy@school.example already works at another school with this account. They accept while logged in, and we check that it is them.',
  ]);
});

it('the outcome of deleted invitations names those that stay, and why', () => {
  const sent = [invited('ada@school.example'), invited('ben@school.example'), invited('ivy@school.example')];
  const [ada, ben, ivy] = sent.map(({ id }) => id);
  const kept = [{ id: ivy ?? '', status: 'accepted' as const }];
  renderInApp(<RemovedInvites sent={sent} removed={{ removed: [ada ?? '', ben ?? ''], kept }} />);
  expect(screen.getByText('2 invitations have been deleted')).toBeTruthy();
  expect(screen.getByRole('listitem').textContent).toBe('ivy@school.example has accepted already');
});
