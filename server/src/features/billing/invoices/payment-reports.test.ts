import { billingConsoleCalls } from '#contract/calls/billing-console.ts';
import { paymentReportCalls } from '#contract/calls/payment-reports.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { beforeEach, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import type { BuiltSchool } from '../../../testing/builder.ts';

const app = testApp({ SUPPORT_EMAIL: 'support@company.example' });
beforeEach(() => app.setTime('2026-11-18T12:00:00.000Z'));

const report = (school: BuiltSchool, invoice_number: string, reference = 'BACS 18 November') =>
  app.call(paymentReportCalls.reportPayment, {
    token: school.admin.token,
    params: { id: school.id },
    body: { invoice_number, reference },
  });
const listReports = async (school: BuiltSchool) =>
  (
    await app.call(paymentReportCalls.listPaymentReports, {
      token: school.admin.token,
      params: { id: school.id },
    })
  ).reply.reports;
const listForOperator = async () =>
  (await app.call(paymentReportCalls.listReportedPayments, { token: (await app.build.operator()).token })).reply
    .reports;
const reportMails = () => app.mails.filter(({ kind }) => kind === 'payment_report');

/** A school that is locked by an invoice due on 17 November. */
async function lockedSchool() {
  const school = await app.build.school();
  const invoice = await app.build.invoice(school);
  await app.database.kysely
    .updateTable('invoices')
    .set({ due_date: '2026-11-17', locks_on: '2026-11-18' })
    .where('school_id', '=', school.id)
    .execute();
  return { school, invoice };
}

test('a payment report reaches the operator by email and in the console, and unlocks nothing', async () => {
  const { school, invoice } = await lockedSchool();
  const { status, reply } = await report(school, invoice.number);
  expect([status, reply.report]).toEqual([
    200,
    { invoice_number: invoice.number, reference: 'BACS 18 November', reported_at: '2026-11-18T12:00:00.000Z' },
  ]);
  expect(await listReports(school)).toEqual([reply.report]);

  await app.runJobs();
  const [mail] = reportMails();
  expect(mail).toMatchObject({
    recipient: 'support@company.example',
    headers: { 'Reply-To': school.admin.email },
  });
  expect(mail?.text).toContain(invoice.number);
  expect(mail?.text).toContain('BACS 18 November');

  expect(await listForOperator()).toMatchObject([
    { invoice: { number: invoice.number, school: { id: school.id }, is_overdue: true }, reference: 'BACS 18 November' },
  ]);

  const record = await app.call(schoolCalls.getSchool, { token: school.admin.token, params: { id: school.id } });
  expect(record.reply.enterprise.access).toBe('locked');
});

test('an invoice can be reported as paid once a day, and again the next day', async () => {
  const { school, invoice } = await lockedSchool();
  // Two tabs at once: the database allows one row per day.
  const both = await Promise.all([report(school, invoice.number, 'One'), report(school, invoice.number, 'Two')]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(both.find(({ status }) => status === 409)?.error.code).toBe('payment_already_reported');

  app.setTime('2026-11-19T00:00:00.000Z');
  expect((await report(school, invoice.number, 'Three')).status).toBe(200);
  expect((await listReports(school)).map(({ reference }) => reference)[0]).toBe('Three');
  expect((await listForOperator()).filter(({ invoice: { number } }) => number === invoice.number)).toMatchObject([
    { reference: 'Three' },
  ]);
});

test('a payment report disappears once the payment is recorded, and a paid invoice cannot be reported', async () => {
  const { school, invoice } = await lockedSchool();
  await report(school, invoice.number);
  const { token } = await app.build.operator();
  await app.call(billingConsoleCalls.markInvoicePaid, { token, params: { invoiceNumber: invoice.number }, body: {} });
  expect(await listReports(school)).toEqual([]);
  expect((await listForOperator()).map(({ invoice: { number } }) => number)).not.toContain(invoice.number);
  app.setTime('2026-11-19T12:00:00.000Z');
  expect((await report(school, invoice.number)).error.code).toBe('invoice_not_open');
});

test('a payment report names an invoice of the same school, and has a reference of at most 100 characters', async () => {
  const { invoice } = await lockedSchool();
  const otherSchool = await app.build.school();
  expect((await report(otherSchool, invoice.number)).status).toBe(404);
  const otherInvoice = await app.build.invoice(otherSchool);
  for (const reference of ['', '   ', 'x'.repeat(101)])
    expect((await report(otherSchool, otherInvoice.number, reference)).error).toMatchObject({
      error_type: 'validation',
      errors: { reference: [expect.any(String)] },
    });
});
