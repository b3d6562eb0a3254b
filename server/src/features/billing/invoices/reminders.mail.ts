import { formatLongDay } from '../../../clock.ts';
import type { NextPeriod } from '../../../database/column-types.ts';
import type { Config } from '../../../config.ts';
import { renderEmail } from '../../../mail/layout.ts';
import type { Mail } from '../../../mail/outbox.queries.ts';
import { dayOf, type SubscriptionRow } from '../subscriptions/subscriptions.public.ts';
import { invoiceFacts, payAction } from './invoices.mail.ts';
import type { InvoiceRow } from './invoices.queries.ts';

/** The stages of an unpaid invoice at which the school is reminded. */
export type InvoiceStage = 'due_soon' | 'due_today' | 'locked' | 'overdue';

const INVOICE_TEXTS: Record<InvoiceStage, (due: string, lock: string) => { title: string; text: string }> = {
  due_soon: (due) => ({
    title: `Your invoice is due by ${due}`,
    text: 'If you have just paid it, you do not need to do anything. A bank transfer takes a day or two to reach us.',
  }),
  due_today: (due, lock) => ({
    title: `Your invoice is due today, ${due}`,
    text: `From ${lock} the account is locked until the invoice is paid. Nothing is deleted, and pupils’ reading is still recorded.`,
  }),
  locked: (due) => ({
    title: 'Your account is locked',
    text: `The invoice was due by ${due} and is unpaid. Until it is paid, staff can use billing, their account, help, pupils’ logins and the school’s records, but not classes or reading. Nothing is deleted, and pupils’ reading is still recorded. If you have already paid, tell us the reference in the portal.`,
  }),
  overdue: (due) => ({
    title: 'Your invoice is overdue',
    text: `The invoice was due by ${due} and is still unpaid, so the account stays locked. If there is a problem with the invoice, contact us.`,
  }),
};

/** A mail of this module; the subject is the title with the name of the product before it and `note` after it. */
const reminderMail = (
  { productName, contactEmail }: Config,
  recipient: string,
  title: string,
  content: Pick<Parameters<typeof renderEmail>[1], 'paragraphs' | 'facts' | 'action'>,
  note = '',
): Mail =>
  renderEmail(productName, {
    kind: 'billing_reminder',
    recipient,
    subject: `${productName}: ${title}${note}`,
    title,
    closing: [`Questions? Write to ${contactEmail}.`],
    ...content,
  });

/** A reminder of an unpaid invoice. */
export function invoiceReminderMail(stage: InvoiceStage, invoice: InvoiceRow, recipient: string, config: Config): Mail {
  const { title, text } = INVOICE_TEXTS[stage](formatLongDay(invoice.due_date), formatLongDay(invoice.locks_on));
  const content = { paragraphs: [text], facts: invoiceFacts(invoice), action: payAction(invoice, config) };
  return reminderMail(config, recipient, title, content, ` (${invoice.number})`);
}

/** A reminder that a subscription or a trial is about to end, or has ended. */
export function endReminderMail(
  { is_trial, title, expires_at }: SubscriptionRow,
  daysLeft: number,
  recipient: string,
  config: Config,
): Mail {
  const what = is_trial ? 'free trial' : 'subscription';
  const when = daysLeft === 0 ? 'today' : daysLeft === 1 ? 'tomorrow' : `in ${daysLeft} days`;
  const last = formatLongDay(dayOf(expires_at));
  const heading = daysLeft < 0 ? `Your ${what} has ended` : `Your ${what} ends ${when}`;
  const reassurance = 'Nothing is deleted. Your classes, pupils and their reading will be there when you come back.';
  const next = is_trial ? 'Choose a package to continue.' : 'Extend it to continue without a break.';
  return reminderMail(config, recipient, heading, {
    paragraphs:
      daysLeft < 0
        ? [`Its last day was ${last}. Choose a package to continue.`, reassurance]
        : [`The last day of ${title} is ${last}. ${next}`, ...(daysLeft <= 7 ? [reassurance] : [])],
    action: {
      label: is_trial || daysLeft < 0 ? 'Choose a package' : 'View the subscription',
      url: `${config.publicUrl}${is_trial || daysLeft < 0 ? '/select-subscription' : '/subscription'}`,
    },
  });
}

/** A warning that the next period has fewer places than the school has pupils. */
export function placesReminderMail(
  { from, title, max_readers }: NextPeriod,
  pupils: number,
  daysLeft: number,
  recipient: string,
  config: Config,
): Mail {
  const heading = `You have ${pupils} pupils and will have ${max_readers} places`;
  const when = daysLeft === 1 ? 'tomorrow' : `in ${daysLeft} days`;
  return reminderMail(config, recipient, heading, {
    paragraphs: [
      `Your package ${title} starts ${when}, on ${formatLongDay(from)}. It has ${max_readers} places, and you have ${pupils} pupils.`,
      'We will not remove anyone, but you cannot add pupils until you archive some or choose a larger package. Archived pupils are erased after 30 days.',
    ],
    action: { label: 'View the subscription', url: `${config.publicUrl}/subscription` },
  });
}
