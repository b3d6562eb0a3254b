import type { InvoiceContent } from '#contract/calls/hosted-invoices.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { Database } from '../../../database/database.ts';
import { migrate } from '../../../database/migrations.ts';
import { makeEmptyDatabase } from '../../../testing/databases.ts';
import { contentOf } from './invoices.service.ts';

const CONTENT = {
  seller: { name: 'Storylark', address: ['4 Quill Yard'], vat_number: null, email: 'office@storylark.example' },
  school: 'Oak Row',
  bill_to: ['Pat Office', 'SW1A 1AA'],
  email: 'pat@oak.example',
  country_code: 'GBR',
  lines: [{ text: 'Custom', detail: 'Custom package', amount: 50_000 }],
  period: { from: '2026-03-01', to: '2027-02-28' },
  vat_rate: 2000,
  bank_account: null,
} as unknown as InvoiceContent;

/** Subscriptions as the previous version wrote them: a custom package does not name the one that it replaced. */
const ROWS = `
insert into schools (id, name, created_at) values (1, 'Oak Row', '2025-01-05T09:00:00Z'), (2, 'Elm End', '2025-01-05T09:00:00Z');
insert into subscriptions (id, school_id, title, is_trial, max_readers, payment_provider, payment_amount_pence, starts_at, expires_at,
  ended_at, replaces_id) values
  -- An uncollectible upgrade, so that the first one was resumed, and then a custom package: all on 1 March.
  (1, 1, 'Key stage', false, 120, 'invoice', 48000, '2025-12-01T00:00:00Z', '2026-11-30T23:59:59Z', '2026-03-01T15:00:00Z', null),
  (2, 1, 'One-form entry', false, 240, 'invoice', 84000, '2025-12-01T00:00:00Z', '2026-11-30T23:59:59Z', '2026-03-01T11:00:00Z', 1),
  (3, 1, 'Custom', false, 300, 'manual', 50000, '2026-03-01T00:00:00Z', '2026-08-31T22:59:59Z', '2026-03-01T16:00:00Z', null),
  -- A second custom package on the same day, and a third one a second before midnight on a day of British Summer Time.
  (4, 1, 'Pilot', false, 999, 'manual', 0, '2026-03-01T00:00:00Z', '2031-02-28T23:59:59Z', '2026-06-30T22:59:59Z', null),
  (5, 1, 'Two days', false, 10, 'manual', 200, '2026-06-29T23:00:00Z', '2026-07-01T22:59:59Z', null, null),
  -- A first subscription replaced nothing; those of another school do not count.
  (6, 2, 'First', false, 10, 'manual', 720000, '2026-03-01T00:00:00Z', '2031-02-28T23:59:59Z', null, null);
insert into invoices (school_id, id, number, issued_at, due_date, status, subtotal_pence, vat_pence, total_pence, token,
  subscription_id, content) values
  (1, 1, 'INV-000001', '2026-03-01T15:00:00Z', '2026-03-31', 'uncollectible', 50000, 10000, 60000, 'token-1', 3,
   '${JSON.stringify(CONTENT)}');`;

let database: Database;
let remove: () => Promise<void>;
let before: InvoiceContent | undefined;
const readContent = async () =>
  (await sql<{ content: InvoiceContent }>`select content from invoices where id = 1`.execute(database.kysely)).rows[0]
    ?.content;

beforeAll(async () => {
  ({ database, remove } = await makeEmptyDatabase(inject('template')));
  await migrate(database.kysely, '0077_completions_by_book');
  await (database.engine.kind === 'embedded'
    ? database.engine.pglite.exec(ROWS)
    : sql.raw(ROWS).execute(database.kysely));
  before = await readContent();
  await migrate(database.kysely);
});
afterAll(() => remove());

const readAll = (column: 'replaces_id' | 'price_per_year_pence') =>
  database.kysely
    .selectFrom('subscriptions')
    .select(['id', column])
    .orderBy('id')
    .execute()
    .then((rows) => rows.map((row) => [row.id, row[column]]));

test('a custom package names the subscription that ended when it started, even if several ended on that day', async () => {
  expect(await readAll('replaces_id')).toEqual([
    [1, null],
    [2, 1],
    [3, 1],
    [4, 3],
    [5, 4],
    [6, null],
  ]);
});

test('the yearly price is that of the package, and for a custom package its amount divided by the years of its period', async () => {
  expect(await readAll('price_per_year_pence')).toEqual([
    [1, 48_000],
    [2, 84_000],
    // The invoice covers a year, although the subscription ended after six months.
    [3, 50_000],
    [4, 0],
    // Two days of 365.
    [5, 36_500],
    [6, 144_000],
  ]);
});

test('an issued invoice has the same content after the migration, so that its PDF is the same file', async () => {
  const after = await readContent();
  expect(after?.lines).toEqual([
    {
      text: 'Custom',
      detail: 'Custom package',
      amount: 50_000,
      quantity: 1,
      unit_price_pence: 50_000,
      vat_rate: 2000,
    },
  ]);
  if (!before || !after) throw new Error('The invoice is missing.');
  expect(contentOf({ content: after })).toEqual(contentOf({ content: before }));
});
