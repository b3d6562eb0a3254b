import { billingConsoleCalls } from '#contract/calls/billing-console.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { sql } from 'kysely';
import { beforeEach, describe, expect, inject, test } from 'vitest';
import { inPlatform } from '../../../database/platform.ts';
import { testApp } from '../../../testing/app.ts';
import { countBlockedConnections } from '../../../testing/blocked-connections.ts';
import { insertPackage } from './sold-packages.queries.ts';

const app = testApp();
beforeEach(() => app.setTime('2026-11-18T12:00:00.000Z'));

/** Starts each action while the previous one waits for the lock on the invoice's row, then releases the row. */
async function overlap<T>(number: string, actions: readonly (() => Promise<T>)[]): Promise<T[]> {
  const { results } = await app.database.kysely.transaction().execute(async (tx) => {
    await sql`select from invoices where number = ${number} for update`.execute(tx);
    const started: Promise<T>[] = [];
    for (const action of actions) {
      started.push(action());
      await expect.poll(() => countBlockedConnections(app.database)).toBe(started.length);
    }
    return { results: Promise.all(started) };
  });
  return results;
}

// The embedded database has one connection, on which transactions cannot overlap.
describe.runIf(inject('template').kind === 'server')('invoices', () => {
  test.each([
    ['markInvoicePaid', {}],
    ['markInvoiceUncollectible', { reason: 'No answer' }],
    ['creditInvoice', { reason: 'A mistake' }],
  ] as const)('%s settles an invoice once when two operators call it at the same moment', async (name, body) => {
    const school = await app.build.school();
    const { number } = await app.build.invoice(school);
    const settle = async () => {
      const { token } = await app.build.operator();
      return app.call(billingConsoleCalls[name], { token, params: { invoiceNumber: number }, body: body as never });
    };
    const replies = await overlap(number, [settle, settle]);
    expect(replies.map(({ status, error }) => [status, error.code])).toEqual([
      [200, undefined],
      [409, 'invoice_closed'],
    ]);
    const { reply } = await app.call(schoolCalls.listAuditLog, {
      token: school.admin.token,
      params: { id: school.id },
    });
    expect(reply.entries.filter(({ subject_kind: kind }) => kind === 'invoice')).toHaveLength(2);
  });
});

describe.runIf(inject('template').kind === 'server')('packages', () => {
  const offer = { title: 'Small school', description: 'For a village school.', max_readers: 90, is_offered: true };
  const body = { ...offer, price: 36_000 };

  test('adding a package blocks no change of another one, and a package added meanwhile gets another ID', async () => {
    const { token } = await app.build.operator();
    const { id, next } = await inPlatform(app.database, async (db) => {
      const first = await insertPackage(db, { ...offer, price_pence: 36_000 });
      const changed = await app.call(billingConsoleCalls.updatePackage, { token, params: { packageId: 2 }, body });
      expect(changed.status).toBe(200);
      const added = app.call(billingConsoleCalls.createPackage, { token, body });
      await expect.poll(() => countBlockedConnections(app.database)).toBe(1);
      return { id: first, next: { added } };
    });
    expect((await next.added).reply.package.id).toBe(id + 1);
  });
});
