import { renderEmail } from '../../../mail/layout.ts';
import type { Mail } from '../../../mail/outbox.queries.ts';

interface SupportAccess {
  recipient: string;
  firstName: string;
  school: string;
  /** The user whom the operator impersonates. */
  person: string;
  operator: string;
  reason: string;
  startedAt: Date;
  /** The school's time zone. */
  timeZone: string;
}

/** Tells an admin of a school that the company's support is logged in as a member of its staff. */
export function supportAccessMail(product: string, access: SupportAccess): Mail {
  const time = access.startedAt.toLocaleString('en-GB', {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: access.timeZone,
  });
  return renderEmail(product, {
    kind: 'support_access',
    recipient: access.recipient,
    subject: `${product} support has logged in to ${access.school}`,
    title: 'Support has logged in to your school',
    paragraphs: [
      `Hello ${access.firstName},`,
      `${product} support has logged in to ${access.school} to help. The session ends after one hour at the latest.`,
    ],
    facts: [
      ['Who', access.operator],
      ['Using the account of', access.person],
      ['Reason', access.reason],
      ['Started', time],
    ],
    closing: [
      'Support sees only settings and billing, unless an admin allows more for an hour in the portal, under School. In any case support cannot erase pupils, download exports, invite people or change roles. Everything support changes is in your school’s audit log, under both names.',
      'If you did not expect this, contact us from the portal.',
    ],
  });
}
