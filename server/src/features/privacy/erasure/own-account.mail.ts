import { renderEmail } from '../../../mail/layout.ts';
import type { Mail } from '../../../mail/outbox.queries.ts';

/** Confirms to someone that their account was erased. Nothing about it remains once it is sent. */
export const accountErasedMail = (product: string, recipient: string, school: string): Mail =>
  renderEmail(product, {
    kind: 'account_erased',
    recipient,
    subject: `Your ${product} account has been erased`,
    title: 'Your account has been erased',
    paragraphs: [
      `You asked us to delete your account at ${school}. We have erased your name, email address and logins, and hold no copy of this address.`,
      'What you did stays in the school’s list of changes without your name.',
    ],
  });
