import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { api } from '#contract/api.ts';
import { listStatusBreaks, listUnannounced, type Statuses } from '#contract/breaking-changes.ts';
import { type Call, hasBody } from '#contract/call.ts';
import { EXAMPLE } from '#contract/examples.ts';
import { printStatuses, readStatuses } from '#contract/recorded.ts';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testApp } from '../testing/app.ts';
import type { BuiltSchool, Person } from '../testing/builder.ts';
import { exampleQuery, listOwnValues, pathWithIds, replaceValues } from '../testing/example-requests.ts';

const app = testApp();
const root = new URL('../../../', import.meta.url);
const RECORD = new URL('contract/recorded/statuses.tsv', root);

/** Addresses that examples register, which only one account can have. */
const NEW_ADDRESSES = ['grace.lim@oakfield.sch.example', 'head@oakfield.sch.example'];

const run = (change: ReturnType<typeof sql>) => change.execute(app.database.kysely);

/** What puts a school with a subscription into each state. */
const states: Record<string, (school: BuiltSchool) => Promise<unknown>> = {
  open: async () => undefined,
  trial: ({ id }) => run(sql`update subscriptions set is_trial = true where school_id = ${id}`),
  none: ({ id }) => run(sql`delete from subscriptions where school_id = ${id}`),
  expired: ({ id }) =>
    run(sql`update subscriptions set starts_at = '2020-01-01', expires_at = '2020-02-01' where school_id = ${id}`),
  locked: async (school) => {
    await app.build.invoice(school);
    await run(sql`update invoices set due_date = '2020-01-01', locks_on = '2020-01-08' where school_id = ${school.id}`);
  },
  closed: ({ id, admin }) =>
    run(sql`insert into school_closings (school_id, requested_by, requested_at, takes_effect_at, closed_at, erase_at)
      values (${id}, ${admin.id}, '2026-11-01', '2026-11-08', '2026-11-08', '2026-12-08')`),
  'terms missing': ({ id }) => run(sql`update schools set terms_accepted_at = null where id = ${id}`),
  'address not confirmed': ({ admin }) =>
    run(sql`update users set email_confirmed_at = null, created_at = '2026-11-01' where id = ${admin.id}`),
  'factor due': ({ id }) => run(sql`update schools set admins_factor_from = '2026-11-01' where id = ${id}`),
};

const tokenFor = ({ permission }: Call, school: BuiltSchool, operator: Person): string | undefined => {
  if (permission === 'open') return undefined;
  if (permission === 'operator') return operator.token;
  return permission === 'reader' ? school.ownClass.pupils[0]?.token : school.admin.token;
};

/** Reads first, because the call after a change gets another school. */
const ordered = Object.values<Call>(api).toSorted(
  (first, second) => Number(first.method !== 'GET') - Number(second.method !== 'GET'),
);

/** Sends the example of every call to schools in one state. Returns the status of each, with the code of its error. */
async function measure(bring: (school: BuiltSchool) => Promise<unknown>): Promise<Record<string, string>> {
  const operator = await app.build.operator();
  const measured: Record<string, string> = {};
  let school: BuiltSchool | undefined;
  let invite = { id: '', link: '' };
  for (const call of ordered) {
    if (!school) {
      school = await app.build.school();
      invite = await app.build.invite(school);
      await bring(school);
    }
    const token = tokenFor(call, school, operator);
    const own = listOwnValues(school, invite.link).set(EXAMPLE.teacherEmail, school.admin.email);
    for (const email of NEW_ADDRESSES) own.set(email, `${randomUUID()}@test.example`);
    const body = replaceValues(call.example?.body, own) as object | undefined;
    const { status, error } = await app.ask(call.method, pathWithIds(call, school, invite) + exampleQuery(call), {
      ...(token ? { token } : {}),
      ...(hasBody(call) ? { payload: body ?? {} } : {}),
    });
    const code = status < 400 ? '' : ` ${error.code ?? error.error_type}`;
    measured[`${call.method} /v1${call.path}`] = `${status}${code}`;
    await run(sql`delete from rate_limits`);
    if (status < 400 && call.method !== 'GET') school = undefined;
  }
  return measured;
}

test('every call answers in each state of a school with the recorded status, or the changelog names the change', async () => {
  const current: Statuses = {};
  for (const [state, bring] of Object.entries(states))
    for (const [call, status] of Object.entries(await measure(bring))) (current[call] ??= {})[state] = status;
  if (process.env.RECORD_CONTRACT) writeFileSync(RECORD, printStatuses(current));
  const recorded = readStatuses(readFileSync(RECORD, 'utf8'));
  expect(Object.keys(Object.values(recorded)[0] ?? {})).toEqual(Object.keys(states));
  const changelog = readFileSync(new URL('CHANGELOG.md', root), 'utf8');
  expect(listUnannounced(listStatusBreaks(recorded, current), changelog)).toEqual([]);
});
