import { renderEmail } from '../../../mail/layout.ts';
import type { Mail } from '../../../mail/outbox.queries.ts';

/** Tells an admin that they have removed the second factors of a colleague. */
export const factorsResetMail = (
  product: string,
  { recipient, firstName, person }: { recipient: string; firstName: string; person: string },
): Mail =>
  renderEmail(product, {
    kind: 'account_changed',
    recipient,
    subject: `You removed the second factors of ${person} – ${product}`,
    title: 'Second factors removed',
    paragraphs: [
      `Hello ${firstName},`,
      `You removed the passkeys, authenticator apps and recovery codes of ${person}, and logged them out everywhere.`,
      'If this was not you, change your password now and contact us.',
    ],
  });

interface Announcement {
  recipient: string;
  firstName: string;
  /** Whose factors are removed. */
  person: string;
  /** The recipient is this person. */
  isOwner: boolean;
  dueAt: Date;
  /** The school's time zone. */
  timeZone: string;
  /** Where the person can cancel it. */
  link: string;
}

/** Tells a member of staff that support will remove the second factors of their school's only admin. */
export function recoveryAnnouncementMail(product: string, announcement: Announcement): Mail {
  const { recipient, firstName, person, isOwner, dueAt, timeZone, link } = announcement;
  const time = dueAt.toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone });
  return renderEmail(product, {
    kind: 'account_changed',
    recipient,
    subject: `Support will reset the login of ${person} – ${product}`,
    title: 'Support will reset a login in your school',
    paragraphs: [
      `Hello ${firstName},`,
      `${person} told ${product} support that they have lost their passkey or authenticator app. On ${time} we will remove all of them, so that ${person} can log in with their password and add a new one.`,
      isOwner
        ? 'If you did not ask for this, log in and cancel it.'
        : `If you think that ${person} did not ask for this, speak to them and contact us before then.`,
    ],
    ...(isOwner && { action: { label: 'Check my account', url: link } }),
  });
}
