import { sql } from 'kysely';
import type { PlatformDb } from '../../../database/platform-db.ts';
import type { SchoolDb } from '../../../database/school.ts';

/** Records that a reminder was sent. False if it was sent before. */
export async function recordNotice(db: SchoolDb, subject: string, stage: string, now: Date): Promise<boolean> {
  const row = await db.tx
    .insertInto('billing_notices')
    .values({ school_id: db.schoolId, subject, stage, sent_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('stage')
    .executeTakeFirst();
  return row !== undefined;
}

/** A page, by id, of schools with a subscription that ends or a next period that starts in a range, or an invoice due by a day. */
export async function listBilledSchools(
  db: PlatformDb,
  from: Date,
  to: Date,
  dueTo: string,
  [startsFrom, startsTo]: readonly [string, string],
  after: number,
  limit: number,
): Promise<number[]> {
  const { rows } = await sql<{ school_id: number }>`
    select school_id from subscriptions
      where ended_at is null and expires_at between ${from} and ${to} and school_id > ${after}
    union select school_id from subscriptions
      where ended_at is null and school_id > ${after}
        and next_period->>'from' between ${startsFrom} and ${startsTo}
    union select school_id from invoices where status = 'open' and due_date <= ${dueTo}::date and school_id > ${after}
    order by school_id limit ${limit}`.execute(db.tx);
  return rows.map(({ school_id }) => school_id);
}
