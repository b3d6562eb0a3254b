import { renderEmail } from '../../../mail/layout.ts';
import type { Mail } from '../../../mail/outbox.queries.ts';

interface ResetLink {
  email: string;
  firstName: string;
  link: string;
}

/** The link to choose a new password. */
export const passwordResetMail = (product: string, { email, firstName, link }: ResetLink): Mail =>
  renderEmail(product, {
    kind: 'password_reset',
    recipient: email,
    subject: `Choose a new password for ${product}`,
    title: 'Choose a new password',
    paragraphs: [`Hello ${firstName},`, `We received a request for a new password for your ${product} account.`],
    action: { label: 'Choose a new password', url: link },
    closing: [
      'You can use the link once, within the next 60 minutes.',
      'If you did not ask for this, ignore this email: your password stays the same.',
    ],
  });
