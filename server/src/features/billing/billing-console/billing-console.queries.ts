import type { RevenueMonth, SchoolBillingState } from '#contract/calls/billing-console.ts';
import type { Invoice } from '#contract/calls/billing.ts';
import { type Nullable, type SqlBool, sql } from 'kysely';
import type { PlatformDb } from '../../../database/platform-db.ts';
import type { InvoiceRow } from '../invoices/invoices.public.ts';
import type { SubscriptionRow } from '../subscriptions/subscriptions.public.ts';

interface InvoiceFilter {
  status: Invoice['status'] | 'due' | 'overdue' | 'all';
  schoolId: number | undefined;
  /** By the calendar of London. */
  today: string;
  page: number;
  perPage: number;
}

type BilledRow = InvoiceRow & { school_name: string };

const buildInvoiceCondition = ({ status, schoolId, today }: Pick<InvoiceFilter, 'status' | 'schoolId' | 'today'>) => {
  const state =
    status === 'all'
      ? sql<SqlBool>`true`
      : status === 'due'
        ? sql<SqlBool>`i.status = 'open'`
        : status === 'overdue'
          ? sql<SqlBool>`i.status = 'open' and i.due_date < ${today}::date`
          : sql<SqlBool>`i.status = ${status}`;
  return schoolId === undefined ? state : sql<SqlBool>`i.school_id = ${schoolId} and ${state}`;
};

/** A page of invoices of all schools: unpaid ones by due date, others with the newest first. */
export async function searchInvoices(
  db: PlatformDb,
  filter: InvoiceFilter,
): Promise<{ rows: BilledRow[]; total: number; filtered: number; sum: number }> {
  const isDue = filter.status === 'due' || filter.status === 'overdue' || filter.status === 'open';
  const rows = await db.tx
    .selectFrom('invoices as i')
    .innerJoin('schools as s', 's.id', 'i.school_id')
    .selectAll('i')
    .select('s.name as school_name')
    .where(buildInvoiceCondition(filter))
    .orderBy(isDue ? 'i.due_date' : 'i.number', isDue ? 'asc' : 'desc')
    .orderBy('i.number', 'desc')
    .limit(filter.perPage)
    .offset((filter.page - 1) * filter.perPage)
    .execute();
  const { filtered, sum } = await db.tx
    .selectFrom('invoices as i')
    .select([sql<number>`count(*)`.as('filtered'), sql<number>`coalesce(sum(i.total_pence), 0)`.as('sum')])
    .where(buildInvoiceCondition(filter))
    .executeTakeFirstOrThrow();
  const { total } = await db.tx
    .selectFrom('invoices')
    .select(sql<number>`count(*)`.as('total'))
    .executeTakeFirstOrThrow();
  return { rows, total, filtered, sum };
}

/** A row of the accountant's ledger: an invoice, or its credit note. */
export interface LedgerRow extends BilledRow {
  credit_number: string | null;
  credited_at: Date | null;
}

/** Invoices and credit notes issued between two moments, the second excluded, by number. */
export async function listLedger(
  db: PlatformDb,
  from: Date,
  until: Date,
): Promise<{ invoices: BilledRow[]; credits: LedgerRow[] }> {
  const invoices = await db.tx
    .selectFrom('invoices as i')
    .innerJoin('schools as s', 's.id', 'i.school_id')
    .selectAll('i')
    .select('s.name as school_name')
    .where('i.issued_at', '>=', from)
    .where('i.issued_at', '<', until)
    .orderBy('i.number')
    .execute();
  const credits = await db.tx
    .selectFrom('credit_notes as c')
    .innerJoin('invoices as i', (join) =>
      join.onRef('i.school_id', '=', 'c.school_id').onRef('i.id', '=', 'c.invoice_id'),
    )
    .innerJoin('schools as s', 's.id', 'i.school_id')
    .selectAll('i')
    .select(['s.name as school_name', 'c.number as credit_number', 'c.issued_at as credited_at'])
    .where('c.issued_at', '>=', from)
    .where('c.issued_at', '<', until)
    .orderBy('c.number')
    .execute();
  return { invoices, credits };
}

/** The first day of a moment's month in London. */
const monthOf = (column: string) =>
  sql<string>`date_trunc('month', ${sql.ref(column)} at time zone 'Europe/London')::date`;
const sumOf = (column: string) => sql<number>`coalesce(sum(${sql.ref(column)}), 0)`;

/** What was invoiced, credited and paid in each month since a moment, without empty months. */
export async function sumByMonth(db: PlatformDb, from: Date): Promise<RevenueMonth[]> {
  const issued = await db.tx
    .selectFrom('invoices')
    .select([monthOf('issued_at').as('month'), sql<number>`count(*)`.as('invoices')])
    .select([sumOf('subtotal_pence').as('subtotal'), sumOf('vat_pence').as('vat')])
    .where('issued_at', '>=', from)
    .groupBy('month')
    .execute();
  const paid = await db.tx
    .selectFrom('invoices')
    .select([monthOf('paid_at').as('month'), sumOf('total_pence').as('paid')])
    .where('paid_at', '>=', from)
    .groupBy('month')
    .execute();
  const credited = await db.tx
    .selectFrom('credit_notes as c')
    .innerJoin('invoices as i', (join) =>
      join.onRef('i.school_id', '=', 'c.school_id').onRef('i.id', '=', 'c.invoice_id'),
    )
    .select([monthOf('c.issued_at').as('month'), sumOf('i.total_pence').as('credited')])
    .where('c.issued_at', '>=', from)
    .groupBy('month')
    .execute();
  const none = { invoices: 0, subtotal: 0, vat: 0, credited: 0, paid: 0 };
  const months = new Map<string, RevenueMonth>();
  for (const row of [...issued, ...paid, ...credited])
    months.set(row.month, { ...none, ...months.get(row.month), ...row });
  return [...months.values()].sort((a, b) => (a.month < b.month ? 1 : -1));
}

interface StateRow extends Nullable<Pick<SubscriptionRow, 'title' | 'max_readers' | 'expires_at'>> {
  id: number;
  name: string;
}

const stateOf = (now: Date, today: string) => sql<SchoolBillingState>`case
  when i.locks_on <= ${today}::date then 'locked'
  when b.id is null then 'none'
  when b.expires_at <= ${now} then 'expired'
  when b.is_trial then 'trial'
  else 'open' end`;

/** True if the period that an extension added has started. */
export const hasNextPeriodStarted = (today: string) => sql<SqlBool>`b.next_period->>'from' <= ${today}`;

const billedSchools = (db: PlatformDb) =>
  db.tx
    .selectFrom('schools as s')
    .leftJoin('subscriptions as b', (join) => join.onRef('b.school_id', '=', 's.id').on('b.ended_at', 'is', null))
    .leftJoin('invoices as i', (join) => join.onRef('i.school_id', '=', 's.id').on('i.status', '=', 'open'));

/** The number of schools in each state, and a page of those in one state. */
export async function listByState(
  db: PlatformDb,
  state: SchoolBillingState,
  now: Date,
  today: string,
  page: number,
  perPage: number,
): Promise<{ counts: Map<SchoolBillingState, number>; rows: StateRow[] }> {
  const counts = await billedSchools(db)
    .select([stateOf(now, today).as('state'), sql<number>`count(*)`.as('n')])
    .groupBy('state')
    .execute();
  const rows = await billedSchools(db)
    .select(['s.id', 's.name', 'b.expires_at'])
    .select([
      sql<string | null>`case when ${hasNextPeriodStarted(today)} then b.next_period->>'title' else b.title end`.as(
        'title',
      ),
      sql<number | null>`case when ${hasNextPeriodStarted(today)} then (b.next_period->>'max_readers')::integer
        else b.max_readers end`.as('max_readers'),
    ])
    .where(stateOf(now, today), '=', state)
    .orderBy('b.expires_at')
    .orderBy('s.id')
    .limit(perPage)
    .offset((page - 1) * perPage)
    .execute();
  return { counts: new Map(counts.map((row) => [row.state, row.n])), rows };
}
