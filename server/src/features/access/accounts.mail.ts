import { renderEmail } from '../../mail/layout.ts';
import type { Mail } from '../../mail/outbox.queries.ts';

interface AccountChange {
  email: string;
  firstName: string;
  changed: readonly string[];
}

/** Tells the address that held until now that the login is another. */
export const accountChangedMail = (product: string, { email, firstName, changed }: AccountChange): Mail => {
  const what = ['email', 'password'].filter((field) => changed.includes(field)).join(' and ');
  return renderEmail(product, {
    kind: 'account_changed',
    recipient: email,
    subject: `Your ${product} ${what} changed`,
    title: `Your ${what} changed`,
    paragraphs: [
      `Hello ${firstName},`,
      `The ${what} of your ${product} account changed just now.${changed.includes('password') ? ' Wherever else you were logged in, you are logged out.' : ''}`,
      'Was it you? Then there is nothing to do. If not, ask an administrator of your school, or us, for help at once.',
    ],
  });
};
