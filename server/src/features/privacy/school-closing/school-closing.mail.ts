import { DAYS_TO_ERASE } from '#contract/calls/school-closing.ts';
import { dayIn, formatLongDay } from '../../../clock.ts';
import type { Config } from '../../../config.ts';
import { renderEmail } from '../../../mail/layout.ts';
import type { Mail } from '../../../mail/outbox.queries.ts';
import type { ErasedSchool } from '../erasure/erasure.public.ts';

/** What has happened to a school that is being closed. */
export type ClosingStep =
  | { kind: 'requested'; takesEffectAt: Date }
  | { kind: 'closed'; eraseAt: Date }
  | { kind: 'withdrawn' | 'reopened' };

type MailConfig = Pick<Config, 'productName' | 'publicUrl'>;

const onDay = (moment: Date): string => formatLongDay(dayIn('Europe/London', moment));

const INVOICES = 'We keep your invoices for as long as the law requires. An open invoice is still due.';

function describe(step: ClosingStep, school: string): { subject: string; paragraphs: string[] } {
  switch (step.kind) {
    case 'requested':
      return {
        subject: `An admin has asked to close ${school}`,
        paragraphs: [
          `If another admin confirms it, ${school} closes at once. Otherwise it closes on ${onDay(step.takesEffectAt)}. Until then everything works as before, and any admin can withdraw the request.`,
          `Once it is closed, pupils cannot log in. Staff can read and export everything for ${DAYS_TO_ERASE} days, and any admin can reopen the school. Then we erase it. ${INVOICES}`,
        ],
      };
    case 'closed':
      return {
        subject: `${school} is closed`,
        paragraphs: [
          `Pupils cannot log in, and nothing can be changed. Until ${onDay(step.eraseAt)} staff can log in, read everything and download it, and any admin can reopen the school. After that day we erase it: pupils, reading, classes, staff accounts and settings. You cannot undo that. ${INVOICES}`,
          'Download the whole school first, if you need a copy. Pending invitations have ended.',
        ],
      };
    case 'withdrawn':
      return {
        subject: `${school} will not be closed`,
        paragraphs: ['The request to close the school has ended. Everything works as before.'],
      };
    case 'reopened':
      return {
        subject: `${school} is open again`,
        paragraphs: ['An admin has reopened the school. Pupils and staff can use it as before. Nothing was lost.'],
      };
  }
}

/** A step of the closing, to an admin. */
export function closingMail(
  { productName, publicUrl }: MailConfig,
  { recipient, school, step }: { recipient: string; school: string; step: ClosingStep },
): Mail {
  const { subject, paragraphs } = describe(step, school);
  return renderEmail(productName, {
    kind: 'school_closing',
    recipient,
    subject,
    title: subject,
    paragraphs,
    action: { label: 'Open Data and privacy', url: `${publicUrl}/school/data` },
  });
}

/** The receipt of the erasure of a school, to someone who was its admin. */
export function erasedMail(
  { productName }: MailConfig,
  { recipient, name, erasureId, rows, digest, backupsExpireOn, receipt }: ErasedSchool & { recipient: string },
): Mail {
  const mail = renderEmail(productName, {
    kind: 'school_erased',
    recipient,
    subject: `${name} has been erased`,
    title: `${name} has been erased`,
    paragraphs: [
      'The receipt is attached as a PDF. Keep it: you can no longer log in, and we hold no copy of your address.',
    ],
    facts: [
      ['Receipt', `Number ${erasureId}`],
      ['Entries erased', String(rows)],
      ['Digest', digest],
      [
        'Backups',
        backupsExpireOn
          ? `The last one that contains the data is deleted on ${formatLongDay(backupsExpireOn)}. If one is restored before then, the school is erased again.`
          : 'This installation makes none each night. Ask the operator of the server about others.',
      ],
    ],
    closing: [
      'Your invoices remain for as long as the law requires, with the name and address of the school and without pupils. An open invoice is still due: use the link in its email.',
    ],
  });
  const attachment = { name: `erasure-${erasureId}.pdf`, type: 'application/pdf', content: receipt.toString('base64') };
  return { ...mail, attachments: [attachment] };
}
