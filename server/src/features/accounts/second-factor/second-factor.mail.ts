import type { Factor } from '#contract/calls/second-factor.ts';
import { renderEmail } from '../../../mail/layout.ts';
import type { Mail } from '../../../mail/outbox.queries.ts';

/** A change to an account's second factors. Its owner gets an email. */
export type FactorChange =
  | { what: 'added' | 'removed'; kind: Factor['kind']; name: string; isLast?: boolean }
  | { what: 'recovery_code_used'; left: number }
  | { what: 'recovery_codes_renewed' }
  | { what: 'reset'; by: string };

const KINDS: Record<Factor['kind'], string> = { authenticator: 'An authenticator app', passkey: 'A passkey' };

function describe(change: FactorChange): { title: string; text: string } {
  if (change.what === 'added')
    return {
      title: `${KINDS[change.kind]} was added`,
      text: `${KINDS[change.kind]} called “${change.name}” was added to your account. From now on, your password alone is not enough to log in.`,
    };
  if (change.what === 'removed')
    return {
      title: `${KINDS[change.kind]} was removed`,
      text: `${KINDS[change.kind]} called “${change.name}” was removed from your account.${change.isLast ? ' Your password alone is now enough to log in.' : ''}`,
    };
  if (change.what === 'recovery_code_used')
    return {
      title: 'A recovery code was used',
      text: `Someone logged in to your account with one of your recovery codes. You have ${change.left} left.`,
    };
  if (change.what === 'reset')
    return {
      title: 'Your passkeys and authenticator apps were removed',
      text: `${change.by} has removed all passkeys, authenticator apps and recovery codes from your account, after checking that you asked for it. You have been logged out everywhere. Log in with your password and add a new one.`,
    };
  return {
    title: 'You have new recovery codes',
    text: 'New recovery codes were made for your account. The earlier ones no longer work.',
  };
}

/** Tells the owner of an account that its second factors have changed. */
export function factorChangedMail(
  product: string,
  { email, firstName }: { email: string; firstName: string },
  change: FactorChange,
): Mail {
  const { title, text } = describe(change);
  return renderEmail(product, {
    kind: 'account_changed',
    recipient: email,
    subject: `${title} – ${product}`,
    title,
    paragraphs: [
      `Hello ${firstName},`,
      text,
      'If this was you, you do not need to do anything. If it was not, change your password now, and contact an administrator of your school.',
    ],
  });
}
