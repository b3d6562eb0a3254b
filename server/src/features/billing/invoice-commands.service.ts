import type { Config } from '../../config.ts';
import type { PlatformDb } from '../../database/platform.ts';
import { AppError, errorAnswer } from '../../http/errors.ts';
import { searchInvoices } from './console.queries.ts';
import { credit, markPaid, markUncollectible } from './console.service.ts';
import { dayOf } from './period.service.ts';

/** Whoever has the server's command line has no account in the product: the audit log names nobody. */
const NOBODY = { userId: null, impersonatorId: null };
const MOST_LISTED = 200;

/** True for `due`, `paid NUMBER …`, `uncollectible NUMBER REASON` and `credit NUMBER REASON`. */
export function isInvoiceCommand(action: string, [number, ...words]: readonly string[]): boolean {
  if (action === 'due') return true;
  const isNumber = /^INV-\d{6,}$/.test(number ?? '');
  return isNumber && (action === 'paid' || ((action === 'uncollectible' || action === 'credit') && words.length > 0));
}

const pounds = (pence: number): string => `£${(pence / 100).toFixed(2)}`;

/** Carries a command out and answers what to say. Throws an Error in words. */
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
      await markPaid(db, NOBODY, number, body, config, now);
      return `${number} is marked as paid.`;
    }
    if (action === 'uncollectible') {
      await markUncollectible(db, NOBODY, number, text, config, now);
      return `${number} is marked as uncollectible.`;
    }
    const body = { reason: text, ends_subscription: false };
    const { credit_note_number } = await credit(db, NOBODY, number, body, config, now);
    return `${number} is credited by ${credit_note_number}.`;
  } catch (error) {
    throw error instanceof AppError ? new Error(errorAnswer(error).body.error, { cause: error }) : error;
  }
}

async function listDue(db: PlatformDb, now: Date): Promise<string> {
  const filter = { status: 'due' as const, schoolId: undefined, today: dayOf(now), page: 1, perPage: MOST_LISTED };
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
