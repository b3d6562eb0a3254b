import { type AssignableRole, withArticle } from '#contract/permissions.ts';
import { dayIn, formatLongDay } from '../../../clock.ts';
import { renderEmail } from '../../../mail/layout.ts';
import type { Mail } from '../../../mail/outbox.queries.ts';

interface Invitation {
  email: string;
  name: string;
  role: AssignableRole;
  school: string;
  inviter: string;
  link: string;
  expiresAt: Date;
}

/** What the person will do in the role. */
const TASKS: Readonly<Record<AssignableRole, string>> = {
  admin: 'see and change every class and pupil, and manage staff, the subscription and the school',
  teacher: 'follow your classes’ reading, choose their books and manage their logins',
  reading_lead: 'read everything about every pupil, assign books to every class and choose when a pupil needs help',
  teaching_assistant: 'follow the reading of the classes you help in and print their logins',
  business_manager: 'manage the subscription, the invoices and the contacts',
  data_protection_officer: 'answer requests about data, and see what is stored, erased and changed',
};

/** The invitation to join a school's staff. */
export const inviteMail = (
  product: string,
  { email, name, role, school, inviter, link, expiresAt }: Invitation,
): Mail =>
  renderEmail(product, {
    kind: 'invite',
    recipient: email,
    subject: `${inviter} invites you to ${school} on ${product}`,
    title: `Join ${school}`,
    paragraphs: [
      name ? `Hello ${name},` : 'Hello,',
      `${inviter} has invited you to join ${school} on ${product}${role === 'teacher' ? '' : ` as ${withArticle(role)}`}. You can ${TASKS[role]}.`,
    ],
    action: { label: 'See the invitation', url: link },
    closing: [
      `The invitation is for ${email} and is valid until ${formatLongDay(dayIn('Europe/London', expiresAt))}.`,
      'If you do not know the school, ignore this email or follow the link to decline.',
    ],
  });
