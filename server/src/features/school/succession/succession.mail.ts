import { AWAY_AFTER_DAYS, DAYS_TO_DECIDE, HOURS_TO_APPOINT } from '#contract/calls/admin-requests.ts';
import type { Config } from '../../../config.ts';
import { renderEmail } from '../../../mail/layout.ts';
import type { Mail } from '../../../mail/outbox.queries.ts';

/** Ada, Ben and Cleo. */
const listInWords = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

/** Why a request ended without effect. */
export type EndReason =
  | 'stopped'
  | 'withdrawn'
  | 'cancelled'
  | 'undecided'
  | 'requester_left'
  | 'new_admin_left'
  | 'admins_changed'
  | 'school_closed';

/** What has happened to a request. */
export type RequestStep =
  | { kind: 'requested' }
  | { kind: 'confirmed'; dueAt: Date; timeZone: string }
  | { kind: 'appointed' }
  | { kind: 'ended'; reason: EndReason; by?: string | undefined };

export interface RequestMail {
  recipient: string;
  school: string;
  /** The names of the people in the request. */
  names: { requestedBy: string; newAdmin: string; formerAdmins: readonly string[] };
  step: RequestStep;
  /** The recipient can log in to the school. */
  isStaff: boolean;
}

const END_REASONS: Record<EndReason, string> = {
  stopped: 'it was stopped',
  withdrawn: 'it was withdrawn',
  cancelled: 'our support cancelled it',
  undecided: `we could not confirm it within ${DAYS_TO_DECIDE} days`,
  requester_left: 'the person who asked has left the school',
  new_admin_left: 'the person to be appointed has left the school',
  admins_changed: 'the admins of the school have changed',
  school_closed: 'the school has closed',
};

function describe({ school, names, step }: RequestMail, product: string): { subject: string; paragraphs: string[] } {
  const { requestedBy, newAdmin, formerAdmins } = names;
  const isOne = formerAdmins.length === 1;
  const former = listInWords(formerAdmins);
  const haveLeft = `${former}, the only ${isOne ? 'admin' : 'admins'} of ${school}, ${isOne ? 'has' : 'have'} left`;
  const loseAccess = `${former} no longer ${isOne ? 'has' : 'have'} access`;
  switch (step.kind) {
    case 'requested':
      return {
        subject: `${isOne ? 'Has' : 'Have'} ${former} left ${school}?`,
        paragraphs: [
          `${requestedBy} told us that ${haveLeft}, and asked us to make ${newAdmin} an admin.`,
          `We check this before we do anything. If we can confirm it, ${newAdmin} becomes an admin ${HOURS_TO_APPOINT} hours later, and ${loseAccess} to ${school}.`,
        ],
      };
    case 'confirmed': {
      const { dueAt, timeZone } = step;
      const time = dueAt.toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone });
      return {
        subject: `${newAdmin} will be an admin of ${school}`,
        paragraphs: [
          `${requestedBy} told us that ${haveLeft}. Two people at ${product} have checked this.`,
          `On ${time} ${newAdmin} becomes an admin, and ${loseAccess} to ${school}. Until then ${isOne ? former : 'each of them'} can stop it, and so can we.`,
        ],
      };
    }
    case 'appointed':
      return {
        subject: `${newAdmin} is an admin of ${school}`,
        paragraphs: [
          `${newAdmin} is an admin of ${school} now. ${loseAccess} to it.`,
          `The admins of ${school} can see this under Changes.`,
        ],
      };
    case 'ended':
      return {
        subject: `${newAdmin} will not be an admin of ${school}`,
        paragraphs: [
          `We’ll not make ${newAdmin} an admin of ${school}, because ${END_REASONS[step.reason]}${step.by ? ` by ${step.by}` : ''}. Nothing has changed.`,
        ],
      };
  }
}

/** A step of a request, to someone at the school. */
export function requestMail({ productName, publicUrl, contactEmail }: Config, mail: RequestMail): Mail {
  const { subject, paragraphs } = describe(mail, productName);
  const isOpen = mail.step.kind === 'requested' || mail.step.kind === 'confirmed';
  return renderEmail(productName, {
    kind: 'admin_request',
    recipient: mail.recipient,
    subject: `${subject} – ${productName}`,
    title: subject,
    paragraphs,
    ...(isOpen && mail.isStaff && { action: { label: 'See or stop it', url: `${publicUrl}/school/appoint-admin` } }),
    ...(isOpen && { closing: [`If this is wrong, tell us now: write to ${contactEmail}.`] }),
  });
}

/** Tells the company’s support that a school needs an admin. */
export const requestToSupportMail = (
  { productName, publicUrl, contactEmail }: Config,
  { schoolId, school, admins }: { schoolId: number; school: string; admins: number },
): Mail =>
  renderEmail(productName, {
    kind: 'admin_request',
    recipient: contactEmail,
    subject: `${school} asks for an admin – ${productName}`,
    title: `${school} asks for an admin`,
    paragraphs: [
      `Staff of ${school} told us that ${admins === 1 ? 'their only admin has' : `their ${admins} admins have all`} left. Check it, and have another operator confirm it within ${DAYS_TO_DECIDE} days.`,
    ],
    action: { label: 'Open the school', url: `${publicUrl}/admin/schools/${schoolId}` },
  });

/** Asks the only admin of a school, who has not used it for long, for a second one. */
export const secondAdminMail = (
  { productName, publicUrl }: Config,
  { recipient, firstName, school }: { recipient: string; firstName: string; school: string },
): Mail =>
  renderEmail(productName, {
    kind: 'second_admin',
    recipient,
    subject: `${school} needs a second admin – ${productName}`,
    title: `${school} needs a second admin`,
    paragraphs: [
      `Hello ${firstName},`,
      `You are the only admin of ${school}, and have not used ${productName} for ${AWAY_AFTER_DAYS} days. Log in and make a colleague an admin too, under Teachers: then your school is not stuck while you are away.`,
      'Are you about to leave the school? Then make the person who follows you an admin first.',
    ],
    action: { label: 'Go to teachers', url: `${publicUrl}/teachers` },
  });
