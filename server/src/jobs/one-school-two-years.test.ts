import { archiveCalls } from '#contract/calls/archive.ts';
import { billingCalls } from '#contract/calls/billing.ts';
import { billingConsoleCalls } from '#contract/calls/billing-console.ts';
import { schoolDetailsCalls } from '#contract/calls/school-details.ts';
import { schoolClosingCalls } from '#contract/calls/school-closing.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { teacherCalls } from '#contract/calls/teachers.ts';
import { listSchoolDays, mondayOf, usualYear } from '#contract/school-calendar.ts';
import { isWorkingDay } from '#contract/working-days.ts';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { listJobs } from '../app.ts';
import { addDays } from '../clock.ts';
import type { Mail } from '../mail/outbox.queries.ts';
import { RETENTION_JOB } from './queue.ts';
import { testApp } from '../testing/app.ts';
import { type BuiltSchool, CONTACT, type Person } from '../testing/builder.ts';

const app = testApp();
const FIRST_DAY = '2027-09-01';
const LAST_DAY = '2029-08-31';
/** What runs each morning of a busy time, and on Mondays otherwise. All other jobs run on the first of a month. */
const DAILY_JOBS = ['billing-reminders', RETENTION_JOB, 'school-closings', 'absent-admins'];
const WEEKLY_JOB = 'weekly-digest';
/** The times in which something is due: a purchase and its lock, an erased pupil, a renewal, the closing. */
const BUSY_TIMES = [
  ['2027-11-25', '2028-02-14'],
  ['2028-04-03', '2028-04-07'],
  ['2028-10-02', '2028-12-12'],
  ['2029-06-04', '2029-07-08'],
] as const;

let school: BuiltSchool;
let second: Person;
let operator: Person;
/** What happened, in order: `day, weekday, kind, details`. */
const events: string[] = [];
/** Mails with their day. */
const mails: { day: string; kind: string; recipient: string }[] = [];

const params = () => ({ id: school.id });
const asAdmin = () => ({ token: school.admin.token, params: params() });
const weekdayOf = (day: string): string => new Date(day).toUTCString().slice(0, 3);

async function purchase(): Promise<void> {
  const body = { package_id: 4, contact: CONTACT };
  expect((await app.call(billingCalls.subscribe, { ...asAdmin(), body })).status).toBe(200);
}

async function pay(): Promise<void> {
  const { number } = await app.database.kysely
    .selectFrom('invoices')
    .select('number')
    .where('school_id', '=', school.id)
    .where('status', '=', 'open')
    .executeTakeFirstOrThrow();
  const at = { token: operator.token, params: { invoiceNumber: number }, body: {} };
  expect((await app.call(billingConsoleCalls.markInvoicePaid, at)).status).toBe(200);
}

const STEPS: Record<string, [text: string, step: () => Promise<void>]> = {
  '2027-11-03': [
    'starts the trial',
    async () => {
      expect((await app.call(billingCalls.startTrial, { ...asAdmin(), body: {} })).status).toBe(200);
    },
  ],
  '2027-12-01': ['buys a package', purchase],
  '2028-01-05': [
    'changes the billing contact',
    async () => {
      const contact = { ...CONTACT, type: 'billing' as const, email: 'new-bursar@test.example' };
      expect((await app.call(schoolDetailsCalls.updateContact, { ...asAdmin(), body: { contact } })).status).toBe(200);
    },
  ],
  '2028-01-18': ['pays', pay],
  '2028-02-11': [
    'says goodbye to the teacher',
    async () => {
      const at = { token: school.admin.token, params: { ...params(), userId: school.teacher.id } };
      expect((await app.call(teacherCalls.removeTeacher, at)).status).toBe(200);
    },
  ],
  '2028-03-06': [
    'archives a pupil',
    async () => {
      const body = { reader_ids: [school.unplaced.id] };
      expect((await app.call(archiveCalls.archivePupils, { ...asAdmin(), body })).status).toBe(200);
    },
  ],
  '2028-12-05': ['renews after the end', purchase],
  '2028-12-11': ['pays', pay],
  '2029-06-04': [
    'asks to close',
    async () => {
      expect((await app.call(schoolClosingCalls.requestClosing, asAdmin())).status).toBe(200);
    },
  ],
  '2029-06-05': [
    'confirms the closing',
    async () => {
      const at = { token: second.token, params: params() };
      expect((await app.call(schoolClosingCalls.confirmClosing, at)).status).toBe(200);
    },
  ],
};

/** The role of a recipient, which is the same in each run. */
function roleOf(recipient: string): string {
  if (recipient === school.admin.email) return 'admin';
  if (recipient === second.email) return 'second admin';
  if (recipient === school.teacher.email) return 'teacher';
  return recipient.includes('bursar')
    ? 'new billing contact'
    : recipient === CONTACT.email
      ? 'billing contact'
      : 'other';
}

/** Jobs of one morning send in any order. */
const byRecipient = (left: Mail, right: Mail): number =>
  `${left.kind} ${roleOf(left.recipient)}`.localeCompare(`${right.kind} ${roleOf(right.recipient)}`);

/** Keeps everyone logged in at a moment, with a fresh proof. */
const extendSessions = (time: string) =>
  sql`update sessions set last_used_at = ${time}, expires_at = ${time}::timestamptz + interval '60 days',
    proved_at = case when proved_at is null then null else ${time}::timestamptz end`.execute(app.database.kysely);

interface Counts {
  pupils: number;
  staff: number;
  locks: number;
}

async function readCounts(day: string): Promise<Counts> {
  const { id } = school;
  const { rows } = await sql<Counts>`select
    (select count(*) from pupils where school_id = ${id})::integer as pupils,
    (select count(*) from staff where school_id = ${id})::integer as staff,
    (select count(*) from invoices where school_id = ${id} and status = 'open' and locks_on = ${day}::date)::integer
      as locks`.execute(app.database.kysely);
  return rows[0] as Counts;
}

/** The state of the school as its admin sees it, or the status of an answer without it. */
async function accessNow(): Promise<string> {
  const { status, reply } = await app.call(schoolCalls.getSchool, { ...asAdmin(), query: {} });
  return status === 200 ? reply.enterprise.access : String(status);
}

beforeAll(async () => {
  app.setTime(`${FIRST_DAY}T07:30:00.000Z`);
  school = await app.build.school();
  second = await app.build.staff(school, 'admin');
  operator = await app.build.operator();
  const { kysely } = app.database;
  await kysely.deleteFrom('subscriptions').where('school_id', '=', school.id).execute();
  await kysely.updateTable('schools').set({ nation: 'england' }).where('id', '=', school.id).execute();
  await kysely
    .updateTable('staff')
    .set({ digest_optin_at: new Date(`${FIRST_DAY}T07:00:00Z`) })
    .where('school_id', '=', school.id)
    .execute();
  await app.runJobs();
  app.mails.length = 0;
  await liveTwoYears();
}, 600_000);

async function liveTwoYears(): Promise<void> {
  const jobs = listJobs(app.services, async () => undefined);
  const run = async (name: string) => jobs.find((job) => job.name === name)?.run({}, AbortSignal.timeout(60_000));
  let before = await readCounts(FIRST_DAY);
  let access = await accessNow();
  for (let day = FIRST_DAY; day <= LAST_DAY; day = addDays(day, 1)) {
    const isBusy = BUSY_TIMES.some(([from, to]) => from <= day && day <= to);
    if (!isBusy && !STEPS[day] && !day.endsWith('-01') && weekdayOf(day) !== 'Mon') continue;
    const record = (kind: string, text: string) => events.push(`${day} ${weekdayOf(day)}  ${kind.padEnd(8)}${text}`);
    app.setTime(`${day}T07:30:00.000Z`);
    if (day.endsWith('-01')) await app.runJobs({ scheduled: true });
    else for (const name of DAILY_JOBS) await run(name);
    if (weekdayOf(day) === 'Mon' && !day.endsWith('-01')) await run(WEEKLY_JOB);
    const step = STEPS[day];
    if (step) {
      await extendSessions(`${day}T07:30:00.000Z`);
      await step[1]();
      record('school', step[0]);
    }
    await app.runJobs();
    for (const { kind, recipient, subject } of app.mails.splice(0).toSorted(byRecipient)) {
      mails.push({ day, kind, recipient });
      record('mail', `${kind} to ${roleOf(recipient)}: ${(subject ?? '').replaceAll(school.name, 'the school')}`);
    }
    const after = await readCounts(day);
    for (const table of ['pupils', 'staff'] as const)
      if (after[table] < before[table]) record('deleted', `${String(before[table] - after[table])} of ${table}`);
    before = after;
    await extendSessions(`${day}T07:30:00.000Z`);
    const next = await accessNow();
    if (next !== access) record('access', `${access} → ${next}`);
    access = next;
  }
}

const isLockDay = (line: string): boolean => line.includes('→ locked');
const erasedOn = (): string => events.find((line) => line.includes('closed → 401'))?.slice(0, 10) ?? '';

test('two years of one school: each mail, lock and deletion with its day', async () => {
  await expect(`${events.join('\n')}\n`).toMatchFileSnapshot('./one-school-two-years.snapshot.txt');
});

test('no school is locked on a weekend, a bank holiday or from 1 to 7 January', () => {
  const days = events.filter(isLockDay).map((line) => line.slice(0, 10));
  expect(days).toEqual(['2028-01-10']);
  for (const day of days) expect([isWorkingDay(day, 'england'), day.slice(5) > '01-07']).toEqual([true, true]);
});

test('reminders of an invoice go to the current billing contact and the admins', () => {
  const reminded = (day: string) =>
    mails
      .filter((mail) => mail.day === day && mail.kind === 'billing_reminder')
      .map(({ recipient }) => roleOf(recipient));
  expect(reminded('2027-12-24').toSorted()).toEqual(['admin', 'billing contact', 'second admin']);
  expect(reminded('2028-01-10').toSorted()).toEqual(['admin', 'new billing contact', 'second admin']);
});

test('a teacher who left gets no mail after the day of leaving', () => {
  expect(mails.filter(({ recipient, day }) => recipient === school.teacher.email && day > '2028-02-11')).toEqual([]);
  expect(mails.some(({ recipient, day }) => recipient === school.teacher.email && day <= '2028-02-11')).toBe(true);
});

test('the school is erased 30 days after it closed, and gets nothing after the receipt', () => {
  expect(erasedOn()).toBe('2029-07-05');
  expect(mails.filter(({ day }) => day > erasedOn())).toEqual([]);
});

test('a weekly email about children is sent in weeks with a school day alone, once to each person', () => {
  const digests = mails.filter(({ kind }) => kind === 'weekly_digest');
  expect(digests.length).toBeGreaterThan(0);
  const inHolidays = digests.filter(
    ({ day }) => listSchoolDays(usualYear, { from: mondayOf(day), to: addDays(mondayOf(day), 6) }).length === 0,
  );
  expect(inHolidays).toEqual([]);
  const ofWeek = digests.map(({ day, recipient }) => `${mondayOf(day)} ${recipient}`);
  expect(ofWeek).toEqual([...new Set(ofWeek)]);
});
