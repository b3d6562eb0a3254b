import { renderEmail } from '../../mail/layout.ts';
import type { Mail } from '../../mail/outbox.queries.ts';

interface ResetLink {
  email: string;
  firstName: string;
  link: string;
}

/** The link that sets a new password. */
export const passwordResetMail = (product: string, { email, firstName, link }: ResetLink): Mail =>
  renderEmail(product, {
    kind: 'password_reset',
    recipient: email,
    subject: `Choose a new password for ${product}`,
    title: 'Choose a new password',
    paragraphs: [
      `Hello ${firstName},`,
      `Somebody, you we think, asked for a new password for your ${product} account.`,
    ],
    action: { label: 'Choose a new password', url: link },
    closing: [
      'The link works once, within the next 60 minutes.',
      'You did not ask for it? Then do nothing: your password stays as it is.',
    ],
  });
