import { dayIn, formatLongDay } from '../../../clock.ts';
import { renderEmail } from '../../../mail/layout.ts';
import type { Mail } from '../../../mail/outbox.queries.ts';

interface Invitation {
  email: string;
  name: string;
  school: string;
  inviter: string;
  link: string;
  expiresAt: Date;
}

/** The invitation to join a school's staff. */
export const inviteMail = (product: string, { email, name, school, inviter, link, expiresAt }: Invitation): Mail =>
  renderEmail(product, {
    kind: 'invite',
    recipient: email,
    subject: `${inviter} invites you to ${school} on ${product}`,
    title: `Join ${school}`,
    paragraphs: [
      name ? `Hello ${name},` : 'Hello,',
      `${inviter} has invited you to join ${school} on ${product}. You can follow your classes’ reading, choose their books and manage their logins.`,
    ],
    action: { label: 'See the invitation', url: link },
    closing: [
      `The invitation is for ${email} and is valid until ${formatLongDay(dayIn('Europe/London', expiresAt))}.`,
      'If you do not know the school, ignore this email or follow the link to decline.',
    ],
  });
