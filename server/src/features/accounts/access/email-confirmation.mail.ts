import { renderEmail } from '../../../mail/layout.ts';
import type { Mail } from '../../../mail/outbox.queries.ts';

interface Confirmation {
  email: string;
  firstName: string;
  link: string;
  /** The account still has another address. */
  isChange: boolean;
}

/** The link with which a user confirms that they read mail at an address. */
export const confirmationMail = (product: string, { email, firstName, link, isChange }: Confirmation): Mail =>
  renderEmail(product, {
    kind: 'email_confirmation',
    recipient: email,
    subject: `Confirm your email address for ${product}`,
    title: 'Confirm your email address',
    paragraphs: [
      `Hello ${firstName},`,
      isChange
        ? `You asked to change the email address of your ${product} account to this one. Until it is used, log in with the old address.`
        : `Confirm that this is the email address of your ${product} account. Invitations that you send are held until you do.`,
    ],
    action: { label: 'Confirm email address', url: link },
    closing: [
      'You can use the link once, within the next 7 days.',
      `If you did not create a ${product} account, ignore this email: the address will not be confirmed.`,
    ],
  });

/** Tells the owner of an account that their address was given for another one. */
export const alreadyRegisteredMail = (product: string, email: string, publicUrl: string): Mail =>
  renderEmail(product, {
    kind: 'already_registered',
    recipient: email,
    subject: `You already have a ${product} account`,
    title: 'You already have an account',
    paragraphs: [
      'Hello,',
      `Someone tried to use this email address for a new ${product} account, but it already has one.`,
      'If this was you, log in with your existing password or choose a new one.',
    ],
    action: { label: 'Choose a new password', url: `${publicUrl}/forgotten` },
    closing: ['If this was not you, you do not need to do anything: no one has access to your account.'],
  });
