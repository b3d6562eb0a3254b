import type { SchoolAccess } from '#contract/school-access.ts';
import { beforeAll, expect, test } from 'vitest';
import { NO_ACTOR } from '../../../audit/audit-log.queries.ts';
import { hashToken } from '../../../auth/tokens.ts';
import { findSession } from '../../../auth/sessions.queries.ts';
import { addDays } from '../../../clock.ts';
import { inPlatform, readInPlatform } from '../../../database/platform.ts';
import { inSchool } from '../../../database/school.ts';
import { randomFrom } from '#seeds/random.ts';
import { testApp } from '../../../testing/app.ts';
import { CONTACT } from '../../../testing/builder.ts';
import { AppError } from '../../../errors.ts';
import { startTrial } from '../subscriptions/subscriptions.public.ts';
import { subscribe } from '../invoices/invoices.public.ts';
import { credit, markPaid, markUncollectible } from './billing-console.service.ts';

const app = testApp();
const SCHOOLS = 50;
const EVENTS = 400;

/** The expected state of a school, computed by independent rules. */
interface Model {
  id: number;
  token: Buffer;
  /** Last day of the subscription; `over` if it was ended early. */
  last: string | null;
  /** The value of `last` if the open invoice becomes uncollectible. */
  before: string | null;
  open: { number: string; due: string } | null;
}
const models: Model[] = [];

beforeAll(async () => {
  app.setTime('2026-11-18T12:00:00.000Z');
  for (let n = 0; n < SCHOOLS; n += 1) {
    const { id, admin } = await app.build.emptySchool();
    models.push({ id, token: hashToken(admin.token), last: null, before: null, open: null });
  }
  const { kysely } = app.database;
  await kysely.deleteFrom('subscriptions').execute();
  await kysely
    .updateTable('sessions')
    .set({ last_used_at: new Date('2039-01-01'), expires_at: new Date('2040-01-01') })
    .execute();
});

function expectedAccess({ last, open }: Model, today: string): SchoolAccess {
  if (open && open.due < today) return 'locked';
  if (last === null) return 'none';
  return last === 'over' || last < today ? 'expired' : 'open';
}

/** Applies one event to the product and the model. An event that the product rejects changes neither. */
async function applyEvent(model: Model, action: string, packageId: number, now: Date): Promise<boolean> {
  const { config } = app.services;
  const today = now.toISOString().slice(0, 10);
  const { open } = model;
  try {
    if (action === 'trial') {
      await inSchool(app.database, model.id, (db) => startTrial(db, NO_ACTOR, undefined, now));
      model.last = addDays(today, 30);
    } else if (action === 'buy') {
      const body = { contact: CONTACT, po_number: null, package_id: packageId };
      const invoice = await inSchool(app.database, model.id, (db) => subscribe(db, NO_ACTOR, body, config, now));
      const isNew = invoice.content.lines[0]?.detail === '12 months';
      model.before = isNew ? 'over' : model.last;
      model.last = invoice.content.period.to;
      model.open = invoice.status === 'open' ? { number: invoice.number, due: invoice.due_date } : null;
    } else if (open) {
      await inPlatform(app.database, async (db) => {
        if (action === 'pay') await markPaid(db, NO_ACTOR, open.number, {}, config, now);
        else if (action === 'uncollectible') await markUncollectible(db, NO_ACTOR, open.number, 'Closed', config, now);
        else await credit(db, NO_ACTOR, open.number, { reason: 'A mistake', ends_subscription: true }, config, now);
      });
      if (action !== 'pay') model.last = model.before;
      model.open = null;
    } else return false;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
  return true;
}

test('after two years of random events in 50 schools invoice numbers have no gaps, no school has two open invoices, and access follows the state', async () => {
  const random = randomFrom('two years');
  const days = Array.from({ length: EVENTS }, () => random.whole(0, 730)).sort((a, b) => a - b);
  let appliedCount = 0;
  for (const day of days) {
    // Around midday in London in summer and winter.
    const now = new Date(Date.parse('2026-11-18T12:00:00Z') + day * 86_400_000);
    const model = random.pick(models);
    const action = random.pick(['trial', 'buy', 'buy', 'buy', 'pay', 'pay', 'pay', 'uncollectible', 'credit']);
    if (await applyEvent(model, action, random.whole(2, 7), now)) appliedCount += 1;
    const session = await readInPlatform(app.database, (db) => findSession(db, model.token, now));
    expect(session).toMatchObject({ access: expectedAccess(model, now.toISOString().slice(0, 10)) });
  }
  expect(appliedCount).toBeGreaterThan(120);

  const { kysely } = app.database;
  const invoices = await kysely.selectFrom('invoices').selectAll().orderBy('number').execute();
  expect(invoices.map(({ number }) => number)).toEqual(
    invoices.map((_, index) => `INV-${String(index + 1).padStart(6, '0')}`),
  );
  const issuedAt = invoices.map(({ issued_at }) => issued_at.getTime());
  expect(issuedAt).toEqual([...issuedAt].sort((a, b) => a - b));
  const openSchools = invoices.filter(({ status }) => status === 'open').map(({ school_id }) => school_id);
  expect(new Set(openSchools).size).toBe(openSchools.length);

  const sum = (rows: typeof invoices) => rows.reduce((total, row) => total + row.total_pence, 0);
  const by = Map.groupBy(invoices, ({ status }) => status);
  const statuses = ['open', 'paid', 'uncollectible', 'credited'] as const;
  expect(statuses.every((status) => (by.get(status) ?? []).length > 0)).toBe(true);
  expect(statuses.reduce((total, status) => total + sum(by.get(status) ?? []), 0)).toBe(sum(invoices));

  const notes = await kysely.selectFrom('credit_notes').selectAll().orderBy('number').execute();
  expect(notes.map(({ number }) => number)).toEqual(notes.map((_, n) => `CN-${String(n + 1).padStart(6, '0')}`));
  expect(notes).toHaveLength(by.get('credited')?.length ?? 0);
  const current = await kysely.selectFrom('subscriptions').select('school_id').where('ended_at', 'is', null).execute();
  expect(new Set(current.map(({ school_id }) => school_id)).size).toBe(current.length);
});

test('a rollback returns its invoice number, and concurrent schools get consecutive ones', async () => {
  const now = new Date('2029-01-10T12:00:00Z');
  const { config } = app.services;
  const [one, two, three] = await Promise.all([1, 2, 3].map(() => app.build.emptySchool()));
  await app.database.kysely
    .deleteFrom('subscriptions')
    .where(
      'school_id',
      'in',
      [one, two, three].map((s) => s?.id ?? 0),
    )
    .execute();
  const body = { contact: CONTACT, po_number: null, package_id: 4 };
  const buy = (school: { id: number } | undefined, fails = false) =>
    inSchool(app.database, school?.id ?? 0, async (db) => {
      const invoice = await subscribe(db, NO_ACTOR, body, config, now);
      if (fails) throw new Error('The power went.');
      return Number(invoice.number.slice(4));
    });
  await expect(buy(one, true)).rejects.toThrow('power');
  const numbers = await Promise.all([one, two, three].map((school) => buy(school)));
  const [first = 0, ...rest] = numbers.sort((a, b) => a - b);
  expect(rest).toEqual([first + 1, first + 2]);
  const { last } = await app.database.kysely
    .selectFrom('document_numbers')
    .select('last')
    .where('kind', '=', 'invoice')
    .executeTakeFirstOrThrow();
  const { n } = await app.database.kysely
    .selectFrom('invoices')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  expect(last).toBe(n);
});
