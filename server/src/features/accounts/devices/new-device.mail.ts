import { renderEmail } from '../../../mail/layout.ts';
import type { Mail } from '../../../mail/outbox.queries.ts';

interface NewDevice {
  email: string;
  firstName: string;
  browser: string | null;
  system: string | null;
  loggedInAt: Date;
  /** The school's time zone. */
  timeZone: string;
  link: string;
}

/** Tells a user about a login from a device on which they have not logged in before, with a link that ends it. */
export function newDeviceMail(product: string, login: NewDevice): Mail {
  const time = login.loggedInAt.toLocaleString('en-GB', {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: login.timeZone,
  });
  return renderEmail(product, {
    kind: 'new_device',
    recipient: login.email,
    subject: `New login to your ${product} account`,
    title: 'New login to your account',
    paragraphs: [
      `Hello ${login.firstName},`,
      `Someone has logged in to your ${product} account on a device or in a browser that you have not used before.`,
      'If this was you, you do not need to do anything.',
    ],
    facts: [
      ['Browser', login.browser ?? 'Not recognised'],
      ['System', login.system ?? 'Not recognised'],
      ['When', time],
    ],
    action: { label: 'This was not me', url: login.link },
    closing: [
      'If it was not you, select the button, log out that device and choose a new password.',
      'You can use the link once, within the next 7 days.',
    ],
  });
}
