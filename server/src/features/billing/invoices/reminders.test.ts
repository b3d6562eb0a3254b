import { billingCalls } from '#contract/calls/billing.ts';
import { billingConsoleCalls } from '#contract/calls/billing-console.ts';
import { schoolDetailsCalls } from '#contract/calls/school-details.ts';
import { expect, test } from 'vitest';
import { addDays } from '../../../clock.ts';
import { testApp } from '../../../testing/app.ts';
import { CONTACT } from '../../../testing/builder.ts';
import { schoolRemindersJob } from './reminders.jobs.ts';

const app = testApp();

/** Mails written after a given one: recipient, and subject without the product's name. */
async function mailsAfter(last: number): Promise<{ id: number; text: string }[]> {
  const rows = await app.database.kysely
    .selectFrom('outbox')
    .select(['id', 'recipient', 'subject'])
    .where('id', '>', last)
    .orderBy('id')
    .execute();
  return rows.map(({ id, recipient, subject }) => ({
    id,
    text: `${recipient.replace(/-\d+@.*/, '')}: ${subject?.slice(subject.indexOf(':') + 2)}`,
  }));
}

/** Runs a school's reminders twice each morning from one day to another, and returns the mails by day. */
async function runReminders(id: number, from: string, to: string, skipped: readonly string[] = []): Promise<string[]> {
  const sent: string[] = [];
  const job = schoolRemindersJob(app.services);
  let last = (await mailsAfter(0)).at(-1)?.id ?? 0;
  for (let day = from; day <= to; day = addDays(day, 1)) {
    if (skipped.includes(day)) continue;
    app.setTime(`${day}T08:00:00.000Z`);
    await job.run({ schoolId: id });
    await job.run({ schoolId: id });
    const mails = await mailsAfter(last);
    sent.push(...mails.map(({ text }) => `${day} ${text}`));
    last = mails.at(-1)?.id ?? last;
  }
  return sent;
}

test('a school gets each reminder once on its day: trial, unpaid invoice, end of the subscription', async () => {
  app.setTime('2026-11-18T08:00:00.000Z');
  const { id, admin } = await app.build.emptySchool();
  await app.database.kysely.deleteFrom('subscriptions').where('school_id', '=', id).execute();
  await app.database.kysely
    .updateTable('sessions')
    .set({ last_used_at: new Date('2029-01-01'), expires_at: new Date('2040-01-01') })
    .execute();
  const asAdmin = { token: admin.token, params: { id } };
  await app.call(billingCalls.startTrial, { ...asAdmin, body: {} });
  expect(await runReminders(id, '2026-11-18', '2027-01-04')).toEqual([
    '2026-12-11 admin: Your free trial ends in 7 days',
    '2026-12-18 admin: Your free trial ends today',
    '2026-12-19 admin: Your free trial has ended',
  ]);

  app.setTime('2027-01-05T08:00:00.000Z');
  const { invoice } = (
    await app.call(billingCalls.subscribe, { ...asAdmin, body: { package_id: 4, contact: CONTACT } })
  ).reply;
  const { number } = invoice;
  const sentToBoth = (day: string, subject: string) =>
    ['finance@test.example', 'admin'].map((recipient) => `${day} ${recipient}: ${subject} (${number})`);
  // The server does not run on the day of the first reminder.
  expect(await runReminders(id, '2027-01-05', '2027-03-01', ['2027-01-28', '2027-01-29'])).toEqual([
    ...sentToBoth('2027-01-30', 'Your invoice is due by 4 February 2027'),
    ...sentToBoth('2027-02-04', 'Your invoice is due today, 4 February 2027'),
    ...sentToBoth('2027-02-05', 'Your account is locked'),
    ...sentToBoth('2027-02-11', 'Your invoice is overdue'),
  ]);
  await app.call(billingConsoleCalls.markInvoicePaid, {
    token: (await app.build.operator()).token,
    params: { invoiceNumber: number },
    body: {},
  });
  expect(await runReminders(id, '2027-11-04', '2028-01-25')).toEqual([
    '2027-11-05 admin: Your subscription ends in 60 days',
    '2027-12-05 admin: Your subscription ends in 30 days',
    '2027-12-28 admin: Your subscription ends in 7 days',
    '2028-01-04 admin: Your subscription ends today',
    '2028-01-05 admin: Your subscription has ended',
  ]);
  const { subscription } = (await app.call(billingCalls.getSubscription, asAdmin)).reply;
  expect(subscription, 'neither a trial nor a year renews itself').toMatchObject({
    has_expired: true,
    is_trial: false,
  });
});

test('the daily job reminds schools with something due, and no others', async () => {
  app.setTime('2030-05-01T08:00:00.000Z');
  const [ending, far] = [await app.build.emptySchool(), await app.build.emptySchool()];
  const end = (school: { id: number }, expires_at: Date) =>
    app.database.kysely
      .updateTable('subscriptions')
      .set({ starts_at: new Date('2029-09-01'), expires_at })
      .where('school_id', '=', school.id)
      .execute();
  await end(ending, new Date('2030-05-08T22:59:59Z'));
  await end(far, new Date('2030-09-08T22:59:59Z'));
  await app.runJobs();
  app.mails.length = 0;
  await app.runJobs({ scheduled: true });
  await app.runJobs({ scheduled: true });
  expect(app.mails.map(({ recipient, kind }) => [recipient, kind])).toEqual([[ending.admin.email, 'billing_reminder']]);
});

/** A school with an admin that buys a package, and a client of its contacts. */
async function schoolThatBuys(day: string) {
  app.setTime(`${day}T08:00:00.000Z`);
  const school = await app.build.emptySchool();
  await app.database.kysely.deleteFrom('subscriptions').where('school_id', '=', school.id).execute();
  await app.database.kysely
    .updateTable('sessions')
    .set({ last_used_at: new Date('2039-01-01'), expires_at: new Date('2040-01-01') })
    .execute();
  const asAdmin = { token: school.admin.token, params: { id: school.id } };
  const body = { package_id: 4, contact: CONTACT };
  const { invoice } = (await app.call(billingCalls.subscribe, { ...asAdmin, body })).reply;
  await app.runJobs();
  app.mails.length = 0;
  const changeContact = async (email: string) => {
    const contact = { ...CONTACT, type: 'billing' as const, email };
    expect((await app.call(schoolDetailsCalls.updateContact, { ...asAdmin, body: { contact } })).status).toBe(200);
    await app.runJobs();
  };
  return { ...school, invoice, changeContact };
}

test('an invoice due on Thursday 31 December locks on 8 January, and is reminded of as overdue after that', async () => {
  const { id, invoice } = await schoolThatBuys('2026-12-01');
  expect(invoice).toMatchObject({ due_date: '2026-12-31', locks_on: '2027-01-08' });
  const sent = (await runReminders(id, '2026-12-02', '2027-01-31')).filter((line) => !line.includes(' admin: '));
  expect(sent.map((line) => line.replace(/ finance.*: | \(.*/g, ' '))).toEqual([
    '2026-12-24 Your invoice is due by 31 December 2026 ',
    '2026-12-31 Your invoice is due today, 31 December 2026 ',
    '2027-01-08 Your account is locked ',
    '2027-01-14 Your invoice is overdue ',
  ]);
});

test('a school in Scotland is locked after the Scottish bank holidays', async () => {
  app.setTime('2027-10-29T08:00:00.000Z');
  const school = await app.build.emptySchool();
  await app.database.kysely.updateTable('schools').set({ nation: 'scotland' }).where('id', '=', school.id).execute();
  const { number } = await app.build.invoice(school);
  const row = await app.database.kysely
    .selectFrom('invoices')
    .select(['due_date', 'locks_on'])
    .where('number', '=', number)
    .executeTakeFirstOrThrow();
  expect(row).toEqual({ due_date: '2027-11-29', locks_on: '2027-12-01' });
});

test('a school is never locked before the day after the due date', async () => {
  const school = await app.build.emptySchool();
  const { number } = await app.build.invoice(school);
  await expect(
    app.database.kysely
      .updateTable('invoices')
      .set(({ ref }) => ({ locks_on: ref('due_date') }))
      .where('number', '=', number)
      .execute(),
  ).rejects.toThrow('invoices_check');
});

test('reminders go to the current billing contact and the admins, each once, and the invoice stays as issued', async () => {
  const school = await schoolThatBuys('2027-01-05');
  const { id, invoice, admin } = school;
  expect(await runReminders(id, '2027-01-28', '2027-01-28')).toHaveLength(2);
  app.setTime('2027-01-29T08:00:00.000Z');
  await school.changeContact('new-bursar@test.example');
  const recipients = (lines: string[]) => lines.map((line) => line.slice(11, line.indexOf(':')));
  expect(recipients(await runReminders(id, '2027-02-04', '2027-02-04'))).toEqual(['new-bursar@test.example', 'admin']);
  await school.changeContact(admin.email.toUpperCase());
  expect(recipients(await runReminders(id, '2027-02-05', '2027-02-05'))).toEqual(['admin']);
  const { content } = await app.database.kysely
    .selectFrom('invoices')
    .select('content')
    .where('number', '=', invoice.number)
    .executeTakeFirstOrThrow();
  expect(content.email).toBe(CONTACT.email);
});

test('without a contact the admins alone are reminded', async () => {
  const school = await schoolThatBuys('2027-01-05');
  await app.database.kysely.deleteFrom('contacts').where('school_id', '=', school.id).execute();
  expect(await runReminders(school.id, '2027-01-28', '2027-01-28')).toEqual([
    `2027-01-28 admin: Your invoice is due by 4 February 2027 (${school.invoice.number})`,
  ]);
});

test('a new billing contact gets the open invoice with its PDF once, and the one it was issued to does not', async () => {
  const school = await schoolThatBuys('2027-01-05');
  const sent = () => app.mails.map(({ kind, recipient, attachments }) => [kind, recipient, attachments?.length]);
  await school.changeContact('new-bursar@test.example');
  expect(sent()).toEqual([['invoice', 'new-bursar@test.example', 1]]);
  await school.changeContact('New-Bursar@test.example');
  await school.changeContact(CONTACT.email);
  await school.changeContact('new-bursar@test.example');
  expect(sent()).toHaveLength(1);
  await app.call(billingConsoleCalls.markInvoicePaid, {
    token: (await app.build.operator()).token,
    params: { invoiceNumber: school.invoice.number },
    body: {},
  });
  await school.changeContact('third@test.example');
  expect(sent()).toHaveLength(1);
});

test('a reminder that is more than 14 days late is not sent', async () => {
  app.setTime('2030-01-05T08:00:00.000Z');
  const school = await app.build.emptySchool();
  await app.build.invoice(school);
  app.setTime('2030-02-26T08:00:00.000Z');
  await schoolRemindersJob(app.services).run({ schoolId: school.id });
  const { length } = await app.database.kysely
    .selectFrom('billing_notices')
    .select('stage')
    .where('school_id', '=', school.id)
    .where('subject', 'like', 'invoice:%')
    .execute();
  expect(length).toBe(0);
});

/** A school of 4 pupils whose next period, from 1 September, has as many places. */
async function schoolWithNextPeriod(max_readers: number) {
  app.setTime('2030-05-01T08:00:00.000Z');
  const school = await app.build.school();
  const next = { package_id: 2, title: 'Few pupils', max_readers, price_per_year_pence: 100 };
  await app.database.kysely
    .updateTable('subscriptions')
    .set({
      starts_at: new Date('2029-09-01'),
      expires_at: new Date('2031-08-31'),
      next_period: JSON.stringify({ from: '2030-09-01', to: '2031-08-31', ...next }),
    })
    .where('school_id', '=', school.id)
    .execute();
  return school;
}

test('a school with more pupils than the places of its next period is warned 30 and 7 days before, once each', async () => {
  const school = await schoolWithNextPeriod(2);
  expect(await runReminders(school.id, '2030-07-30', '2030-09-02')).toEqual([
    '2030-08-02 admin: You have 4 pupils and will have 2 places',
    '2030-08-25 admin: You have 4 pupils and will have 2 places',
  ]);
});

test('a school is not warned if its next period has a place for each pupil by then', async () => {
  expect(await runReminders((await schoolWithNextPeriod(4)).id, '2030-07-30', '2030-09-02')).toEqual([]);
  const school = await schoolWithNextPeriod(3);
  expect(await runReminders(school.id, '2030-07-30', '2030-08-20')).toHaveLength(1);
  await app.database.kysely
    .updateTable('pupils')
    .set({ archived_at: new Date('2030-08-21') })
    .where('id', '=', school.unplaced.id)
    .execute();
  expect(await runReminders(school.id, '2030-08-21', '2030-09-02')).toEqual([]);
});

test('a closed school is reminded of its open invoice, and not of the end of its subscription or of missing places', async () => {
  const school = await schoolWithNextPeriod(2);
  const closed_at = new Date('2030-05-01T08:00:00.000Z');
  await app.database.kysely
    .insertInto('school_closings')
    .values({
      school_id: school.id,
      requested_at: closed_at,
      takes_effect_at: closed_at,
      closed_at,
      erase_at: closed_at,
    })
    .execute();
  expect(await runReminders(school.id, '2030-07-30', '2030-09-02')).toEqual([]);
  expect(await runReminders(school.id, '2031-06-30', '2031-09-02')).toEqual([]);
  app.setTime('2031-09-03T08:00:00.000Z');
  const { number } = await app.build.invoice(school);
  const sent = await runReminders(school.id, '2031-09-03', '2031-10-03');
  expect(sent.length).toBeGreaterThan(0);
  expect(sent.filter((line) => !line.includes(number))).toEqual([]);
});
