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
import {
  endOfDay,
  findSubscription,
  recomputeSubscriptions,
  toSubscription,
} from '../subscriptions/subscriptions.public.ts';
import type { InvoiceRow } from '../invoices/invoices.public.ts';
import { grantCustomPackage, purchasePackage, startTrial } from '../purchases/purchases.public.ts';
import { credit, markPaid, markUncollectible } from './billing-console.service.ts';

const app = testApp();
const SCHOOLS = 10;
const EVENTS = 900;
/** How often each is chosen, compared with the others. */
const WEIGHTS = {
  purchase: 4,
  pay: 2,
  trial: 1,
  grant: 2,
  uncollectible: 2,
  'pay late': 1,
  credit: 2,
  close: 1,
  reopen: 3,
};
const ACTIONS = Object.entries(WEIGHTS).flatMap(([action, weight]) => Array<string>(weight).fill(action));

/** A subscription that a school has purchased or was granted. */
interface Purchase {
  id: number;
  /** Of its invoice; the trial has none. */
  number: string | null;
  lastDay: string;
  /** The purchase that is current again if this one is reverted. */
  replaced: Purchase | null;
  /** It was reverted, and there was none before it: it stays current without being active. */
  isCut: boolean;
}

/** The expected state of a school, changed event by event, where the product computes it from all purchases. */
interface Model {
  id: number;
  token: Buffer;
  current: Purchase | null;
  open: { purchase: Purchase; locksOn: string } | null;
  uncollectible: Purchase[];
  isClosed: boolean;
}
const models: Model[] = [];

beforeAll(async () => {
  app.setTime('2026-11-18T12:00:00.000Z');
  for (let n = 0; n < SCHOOLS; n += 1) {
    const { id, admin } = await app.build.emptySchool();
    const token = hashToken(admin.token);
    models.push({ id, token, current: null, open: null, uncollectible: [], isClosed: false });
  }
  const { kysely } = app.database;
  await kysely.deleteFrom('subscriptions').execute();
  await kysely
    .updateTable('sessions')
    .set({ last_used_at: new Date('2039-01-01'), expires_at: new Date('2040-01-01') })
    .execute();
});

function expectedAccess({ current, open, isClosed }: Model, today: string): SchoolAccess {
  if (isClosed) return 'closed';
  if (open && open.locksOn <= today) return 'locked';
  if (!current) return 'none';
  return current.isCut || current.lastDay < today ? 'expired' : 'open';
}

function revert(model: Model, purchase: Purchase): void {
  if (purchase.replaced) model.current = purchase.replaced;
  else purchase.isCut = true;
}

function restore(model: Model, purchase: Purchase): void {
  if (model.current === purchase) purchase.isCut = false;
  else if (model.current === purchase.replaced) model.current = purchase;
}

/** Starts a trial, purchases a package or grants a custom one, in the product and then in the model. */
async function applyPurchase(model: Model, action: string, packageId: number, now: Date): Promise<void> {
  const { config } = app.services;
  const today = now.toISOString().slice(0, 10);
  const { current } = model;
  const add = (added: Pick<Purchase, 'id' | 'lastDay' | 'replaced'>, invoice: InvoiceRow | undefined) => {
    const purchase = { ...added, number: invoice?.number ?? null, isCut: false };
    model.current = purchase;
    model.open = invoice?.status === 'open' ? { purchase, locksOn: invoice.locks_on } : null;
  };
  if (action === 'trial') {
    const { id } = await inSchool(app.database, model.id, (db) => startTrial(db, NO_ACTOR, undefined, now));
    add({ id, lastDay: addDays(today, 30), replaced: null }, undefined);
  } else if (action === 'purchase') {
    const body = { contact: CONTACT, po_number: null, package_id: packageId };
    const invoice = await inSchool(app.database, model.id, (db) => purchasePackage(db, NO_ACTOR, body, config, now));
    const isNew = invoice.content.lines[0]?.detail === '12 months';
    const replaced = isNew ? null : current;
    add({ id: invoice.subscription_id, lastDay: invoice.content.period.to, replaced }, invoice);
  } else {
    const body = { title: 'Pilot', price: packageId * 100, max_readers: 300, ends_on: addDays(today, 20 * packageId) };
    const { subscription, invoice } = await inPlatform(app.database, (db) =>
      grantCustomPackage(db, NO_ACTOR, model.id, body, config, now),
    );
    add({ id: subscription.id, lastDay: body.ends_on, replaced: current }, invoice);
  }
}

/** Pays, gives up or credits an invoice in the product and then in the model. Returns false without an invoice. */
async function applyToInvoice(model: Model, action: string, endsSubscription: boolean, now: Date): Promise<boolean> {
  const { config } = app.services;
  const late = action === 'pay late' ? model.uncollectible.at(-1) : undefined;
  const purchase = late ?? model.open?.purchase ?? (action === 'credit' ? model.current : null);
  const number = purchase?.number;
  if (!purchase || !number) return false;
  const body = { reason: 'A mistake', ends_subscription: endsSubscription };
  await inPlatform(app.database, async (db) => {
    if (action === 'uncollectible') await markUncollectible(db, NO_ACTOR, number, 'Closed', config, now);
    else if (action === 'credit') await credit(db, NO_ACTOR, number, body, config, now);
    else await markPaid(db, NO_ACTOR, number, {}, config, now);
  });
  const wasUncollectible = model.uncollectible.includes(purchase);
  model.uncollectible = model.uncollectible.filter((uncollectible) => uncollectible !== purchase);
  if (model.open?.purchase === purchase) model.open = null;
  if (action === 'uncollectible') model.uncollectible.push(purchase);
  if (action === 'uncollectible' || (action === 'credit' && endsSubscription && !wasUncollectible))
    revert(model, purchase);
  if (late) restore(model, purchase);
  return true;
}

async function setClosed(model: Model, isClosed: boolean, now: Date): Promise<void> {
  const { kysely } = app.database;
  await kysely.deleteFrom('school_closings').where('school_id', '=', model.id).execute();
  const times = { requested_at: now, takes_effect_at: now, closed_at: now, erase_at: now };
  if (isClosed)
    await kysely
      .insertInto('school_closings')
      .values({ school_id: model.id, ...times })
      .execute();
  model.isClosed = isClosed;
}

/** Applies one event to the product and the model. An event that the product rejects changes neither. */
async function applyEvent(model: Model, action: string, random: ReturnType<typeof randomFrom>, now: Date) {
  const choice = random.whole(2, 7);
  try {
    if (action === 'close' || action === 'reopen') await setClosed(model, action === 'close', now);
    else if (['trial', 'purchase', 'grant'].includes(action)) await applyPurchase(model, action, choice, now);
    else return await applyToInvoice(model, action, choice > 3, now);
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
  return true;
}

/** Asserts that what is stored about a school's subscriptions is what the model expects, and stays so when recomputed. */
const expectStored = ({ id, current, open }: Model, now: Date) =>
  inSchool(app.database, id, async (db) => {
    const list = () =>
      db.tx.selectFrom('subscriptions').selectAll().where('school_id', '=', id).orderBy('id').execute();
    const stored = await list();
    expect(stored.filter(({ ended_at }) => ended_at === null).map((row) => row.id)).toEqual(
      current ? [current.id] : [],
    );
    const row = await findSubscription(db);
    expect(row && toSubscription(row, now)).toEqual(
      current
        ? expect.objectContaining({
            has_expired: current.isCut || current.lastDay < now.toISOString().slice(0, 10),
            renewal_status: open?.purchase === current ? 'awaiting_payment' : null,
            ...(current.isCut ? {} : { expires_at: endOfDay(current.lastDay).toISOString() }),
          })
        : undefined,
    );
    await recomputeSubscriptions(db, new Date(now.getTime() + 1000));
    expect(await list()).toEqual(stored);
  });

test('after two years of random events in ten schools invoice numbers have no gaps, no school has two open invoices, and access and subscriptions follow the events', async () => {
  const random = randomFrom('two years');
  const days = Array.from({ length: EVENTS }, () => random.whole(0, 730)).sort((a, b) => a - b);
  const appliedCounts = new Map<string, number>();
  for (const day of days) {
    // Around midday in London in summer and winter.
    const now = new Date(Date.parse('2026-11-18T12:00:00Z') + day * 86_400_000);
    const model = random.pick(models);
    const action = random.pick(ACTIONS);
    if (await applyEvent(model, action, random, now)) appliedCounts.set(action, (appliedCounts.get(action) ?? 0) + 1);
    const session = await readInPlatform(app.database, (db) => findSession(db, model.token, now));
    expect(session).toMatchObject({ access: expectedAccess(model, now.toISOString().slice(0, 10)) });
    await expectStored(model, now);
  }
  expect([...appliedCounts.keys()].sort()).toEqual(Object.keys(WEIGHTS).sort());

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
  const [first, second, third] = await Promise.all([1, 2, 3].map(() => app.build.emptySchool()));
  await app.database.kysely
    .deleteFrom('subscriptions')
    .where(
      'school_id',
      'in',
      [first, second, third].map((s) => s?.id ?? 0),
    )
    .execute();
  const body = { contact: CONTACT, po_number: null, package_id: 4 };
  const purchase = (school: { id: number } | undefined, fails = false) =>
    inSchool(app.database, school?.id ?? 0, async (db) => {
      const invoice = await purchasePackage(db, NO_ACTOR, body, config, now);
      if (fails) throw new Error('The power went.');
      return Number(invoice.number.slice(4));
    });
  await expect(purchase(first, true)).rejects.toThrow('power');
  const numbers = await Promise.all([first, second, third].map((school) => purchase(school)));
  const [lowest = 0, ...later] = numbers.sort((a, b) => a - b);
  expect(later).toEqual([lowest + 1, lowest + 2]);
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
