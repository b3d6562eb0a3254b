import { NO_ACTOR } from '../../../audit/audit-log.queries.ts';
import type { Config } from '../../../config.ts';
import type { PlatformDb } from '../../../database/platform-db.ts';
import { AppError } from '../../../errors.ts';
import { errorAnswer } from '../../../http/error-answers.ts';
import { dayOf } from '../subscriptions/subscriptions.public.ts';
import { searchInvoices } from './billing-console.queries.ts';
import { credit, markPaid, markUncollectible } from './billing-console.service.ts';

const MAX_LISTED = 200;

/** True for `due`, `paid NUMBER …`, `uncollectible NUMBER REASON` and `credit NUMBER REASON`. */
export function isInvoiceCommand(action: string, [number, ...words]: readonly string[]): boolean {
  if (action === 'due') return true;
  const isNumber = /^INV-\d{6,}$/.test(number ?? '');
  return isNumber && (action === 'paid' || ((action === 'uncollectible' || action === 'credit') && words.length > 0));
}

const pounds = (pence: number): string => `£${(pence / 100).toFixed(2)}`;

/** Runs a command and returns the text to print. Throws an Error with a text for the terminal. */
export async function runInvoiceCommand(
  db: PlatformDb,
  [action = '', number = '', ...words]: readonly string[],
  config: Config,
  now: Date,
): Promise<string> {
  const text = words.join(' ').slice(0, 200);
  try {
    if (action === 'due') return await listDue(db, now);
    if (action === 'paid') {
      const body = text ? { reference: text } : {};
      await markPaid(db, NO_ACTOR, number, body, config, now);
      return `${number} is marked as paid.`;
    }
    if (action === 'uncollectible') {
      await markUncollectible(db, NO_ACTOR, number, text, config, now);
      return `${number} is marked as uncollectible.`;
    }
    const body = { reason: text, ends_subscription: false };
    const { credit_note_number } = await credit(db, NO_ACTOR, number, body, config, now);
    return `${number} is credited by ${credit_note_number}.`;
  } catch (error) {
    throw error instanceof AppError ? new Error(errorAnswer(error).body.error, { cause: error }) : error;
  }
}

async function listDue(db: PlatformDb, now: Date): Promise<string> {
  const filter = { status: 'due' as const, schoolId: undefined, today: dayOf(now), page: 1, perPage: MAX_LISTED };
  const { rows, filtered, sum } = await searchInvoices(db, filter);
  const lines = rows.map((row) =>
    [
      row.number,
      `due ${row.due_date}`,
      pounds(row.total_pence).padStart(11),
      `${row.school_name} (${row.school_id})`,
    ].join('  '),
  );
  return [...lines, `${filtered} unpaid, ${pounds(sum)}`].join('\n');
}
