import { renderEmail } from '../../../mail/layout.ts';
import type { Mail } from '../../../mail/outbox.queries.ts';

interface Recipient {
  email: string;
  firstName: string;
}

/** Announces a change of address to the old one. It does not name the new one, which may belong to another person. */
export const emailChangeMail = (product: string, { email, firstName, link }: Recipient & { link: string }): Mail =>
  renderEmail(product, {
    kind: 'email_change',
    recipient: email,
    subject: `Someone asked to change your ${product} email`,
    title: 'Change of your email address',
    paragraphs: [
      `Hello ${firstName},`,
      `Someone who knows your password asked to change the email address of your ${product} account. If this was not you, stop the change and choose a new password.`,
      'If it was you, you can also agree. Otherwise the new address is used 24 hours after you confirm it. Until then, log in with this one.',
    ],
    action: { label: 'Stop or agree', url: link },
    closing: ['The link opens a page with the new address, where you choose.'],
  });

/** Tells a user that their new address now belongs to another account. */
export const emailChangeFailedMail = (product: string, { email, firstName }: Recipient): Mail =>
  renderEmail(product, {
    kind: 'account_changed',
    recipient: email,
    subject: `Your ${product} email has not changed`,
    title: 'Your email address has not changed',
    paragraphs: [
      `Hello ${firstName},`,
      'Your new email address now belongs to another account, so we could not use it for yours.',
      'Continue to log in with this address. You can choose another one in My details.',
    ],
  });
