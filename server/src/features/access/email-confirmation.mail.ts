import { renderEmail } from '../../mail/layout.ts';
import type { Mail } from '../../mail/outbox.queries.ts';

interface Confirmation {
  email: string;
  firstName: string;
  link: string;
  /** The account has another address until now. */
  isChange: boolean;
}

/** The link with which somebody says that they read the mail of an address. */
export const confirmationMail = (product: string, { email, firstName, link, isChange }: Confirmation): Mail =>
  renderEmail(product, {
    kind: 'email_confirmation',
    recipient: email,
    subject: `Confirm your email address for ${product}`,
    title: 'Confirm your email address',
    paragraphs: [
      `Hello ${firstName},`,
      isChange
        ? `This is to be the new email address of your ${product} account. Until you confirm it, you log in with the old one.`
        : `Your ${product} account has this email address. Confirm that it is yours: the invitations that you send wait for it.`,
    ],
    action: { label: 'Confirm email address', url: link },
    closing: [
      'The link works once, within the next 7 days.',
      `You know nothing of an account at ${product}? Then do nothing: without you the address is not confirmed.`,
    ],
  });

/** Tells somebody who has an account that their address was given for another. */
export const alreadyRegisteredMail = (product: string, email: string, publicUrl: string): Mail =>
  renderEmail(product, {
    kind: 'already_registered',
    recipient: email,
    subject: `You have a ${product} account already`,
    title: 'You have an account already',
    paragraphs: [
      'Hello,',
      `Somebody, you perhaps, gave this email address for another account at ${product}. It has one already, and stays with it.`,
      'Was it you? Then log in with the password that you have, or choose a new one.',
    ],
    action: { label: 'Choose a new password', url: `${publicUrl}/forgotten` },
    closing: ['It was not you? Then there is nothing to do: nobody has access to your account.'],
  });
