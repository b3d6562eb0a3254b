import { renderEmail } from '../../../mail/layout.ts';
import type { Mail } from '../../../mail/outbox.queries.ts';

interface AccountChange {
  email: string;
  firstName: string;
  changed: readonly string[];
}

/** Tells the previous address that the login has changed. */
export const accountChangedMail = (product: string, { email, firstName, changed }: AccountChange): Mail => {
  const what = ['email', 'password'].filter((field) => changed.includes(field)).join(' and ');
  return renderEmail(product, {
    kind: 'account_changed',
    recipient: email,
    subject: `Your ${product} ${what} changed`,
    title: `Your ${what} changed`,
    paragraphs: [
      `Hello ${firstName},`,
      `The ${what} of your ${product} account has just changed.${changed.includes('password') ? ' You have been logged out on all other devices.' : ''}`,
      'If this was you, you do not need to do anything. If it was not, contact an administrator of your school or contact us straight away.',
    ],
  });
};
