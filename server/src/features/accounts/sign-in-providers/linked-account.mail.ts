import { renderEmail } from '../../../mail/layout.ts';
import type { Mail } from '../../../mail/outbox.queries.ts';

interface LinkChange {
  email: string;
  firstName: string;
  /** The provider's name. */
  provider: string;
  isLinked: boolean;
}

/** Tells the owner of an account that a login through a provider was added or removed. */
export function linkChangedMail(product: string, { email, firstName, provider, isLinked }: LinkChange): Mail {
  const title = isLinked ? `Your ${provider} account was linked` : `Your ${provider} account was unlinked`;
  return renderEmail(product, {
    kind: 'account_changed',
    recipient: email,
    subject: `${title} – ${product}`,
    title,
    paragraphs: [
      `Hello ${firstName},`,
      isLinked
        ? `A ${provider} account was linked to your ${product} account. It can now log in as you.`
        : `Your ${provider} account can no longer log in to your ${product} account.`,
      'If this was you, you do not need to do anything. If it was not, choose a new password with “Forgotten Password”, unlink accounts that you do not know under Security, and contact an administrator of your school.',
    ],
  });
}
