import { DAYS_TO_DECIDE, HOURS_TO_APPOINT, type OpenAdminRequest } from '#contract/calls/admin-requests.ts';
import type { Role } from '#contract/permissions.ts';
import { type Actor, namePeople, NO_ACTOR, recordChange } from '../../../audit/audit-log.queries.ts';
import type { UserSession } from '../../../auth/sessions.queries.ts';
import { DAY_MS } from '../../../clock.ts';
import type { Config } from '../../../config.ts';
import type { StaffSession } from '../../../context.ts';
import { lockSchool } from '../../../database/lock-school.ts';
import { withPlatform } from '../../../database/platform.ts';
import type { PlatformDb } from '../../../database/platform-db.ts';
import { type SchoolDb, withSchool } from '../../../database/school.ts';
import { AppError } from '../../../errors.ts';
import { sendMail } from '../../../mail/mail.ts';
import { NO_PEOPLE } from '../../../mail/outbox.queries.ts';
import { emailKey, findOperatorName, findStaffAccounts, staffRows } from '../../accounts/access/access.public.ts';
import { contactRows } from '../../billing/invoices/invoices.public.ts';
import { isSchoolClosed } from '../../billing/subscriptions/subscriptions.public.ts';
import { getSchoolRow } from '../school/school.public.ts';
import { leaveSchool, updateStaffRole } from '../teachers/teachers.public.ts';
import { type EndReason, requestMail, requestToSupportMail, type RequestStep } from './succession.mail.ts';
import {
  type AdminRequestRow,
  deleteRequest,
  hasRequest,
  insertRequest,
  listLastUses,
  listOpenRequests,
  lockRequest,
  updateRequest,
} from './succession.queries.ts';

/*
 * Appointing an admin for a school whose admins have all left: a teacher asks, an operator records a check, and another
 * one confirms it. 24 hours later the former admins are removed. Each step locks the school, as changes of roles do.
 */

const APPOINTMENT_DELAY_MS = HOURS_TO_APPOINT * 3_600_000;

/** The people in a request. */
const peopleOf = ({ requested_by, new_admin_id, former_admin_ids }: AdminRequestRow) => [
  requested_by,
  new_admin_id,
  ...former_admin_ids,
];

async function listRoles(db: SchoolDb): Promise<Map<number, Role>> {
  const staff = await staffRows(db).execute();
  return new Map(staff.map(({ user_id, role }) => [user_id, role]));
}

/** The IDs of the admins, in ascending order. */
const adminsIn = (roles: ReadonlyMap<number, Role>): number[] =>
  [...roles].flatMap(([userId, role]) => (role === 'admin' ? userId : [])).sort((one, other) => one - other);

/** Whether these are the admins, in any order. */
const areAll = (admins: readonly number[], userIds: readonly number[]): boolean => {
  const named = new Set(userIds);
  return named.size === admins.length && admins.every((userId) => named.has(userId));
};

/** Why the request no longer applies; undefined while it does. */
async function findObstacle(db: SchoolDb, request: AdminRequestRow): Promise<EndReason | undefined> {
  const roles = await listRoles(db);
  if (await isSchoolClosed(db)) return 'school_closed';
  if (!areAll(adminsIn(roles), request.former_admin_ids)) return 'admins_changed';
  if (!roles.has(request.requested_by)) return 'requester_left';
  return roles.has(request.new_admin_id) ? undefined : 'new_admin_left';
}

const isExpired = ({ requested_at, due_at }: AdminRequestRow, now: Date): boolean =>
  due_at === null && requested_at.getTime() + DAYS_TO_DECIDE * DAY_MS <= now.getTime();

type Operator = Pick<UserSession, 'userId' | 'impersonatorId'>;

interface Recipient {
  id: number | null;
  email: string;
}

/**
 * Who learns of a step: the former admins, the contacts of the school and the person who asked, and, once two operators have
 * decided, all staff. Only confirmed addresses of accounts; the contacts have no account.
 */
async function listRecipients(db: SchoolDb, request: AdminRequestRow, isDecided: boolean): Promise<Recipient[]> {
  const roles = await listRoles(db);
  const accounts = await findStaffAccounts(db, [...roles.keys()]);
  const staff = [...accounts.values()].filter(
    ({ id, email_confirmed_at }) =>
      email_confirmed_at !== null && (isDecided || id === request.requested_by || roles.get(id) === 'admin'),
  );
  const contacts = (await contactRows(db).execute()).flatMap(({ email }) => (email ? [{ id: null, email }] : []));
  // The last one of an address stays: an account before a contact.
  const byAddress = new Map<string, Recipient>(
    [...contacts, ...staff].map((person) => [emailKey(person.email), person]),
  );
  return [...byAddress.values()];
}

/** Sends a step of a request to these people. */
async function announce(
  db: SchoolDb,
  request: AdminRequestRow,
  step: RequestStep,
  recipients: readonly Recipient[],
  now: Date,
  config: Config,
): Promise<void> {
  const { name: school } = await getSchoolRow(db);
  const names = await namePeople(db, peopleOf(request));
  const nameOf = (userId: number) => names.get(userId) ?? 'a former colleague';
  for (const { id, email } of recipients)
    await sendMail(
      db,
      requestMail(config, {
        recipient: email,
        school,
        names: {
          requestedBy: nameOf(request.requested_by),
          newAdmin: nameOf(request.new_admin_id),
          formerAdmins: request.former_admin_ids.map(nameOf),
        },
        step,
        isStaff: id !== null,
      }),
      { users: [...(id === null ? [] : [id]), ...peopleOf(request)] },
      now,
    );
}

/**
 * Asks support to appoint an admin, because all admins have left. Throws `forbidden`, `admin_request_by_admin`,
 * `admin_request_not_needed`, `teacher_not_found` or `admin_request_pending`.
 */
export async function requestAdmin(
  db: SchoolDb,
  me: StaffSession,
  { formerAdminIds, newAdminId, note }: { formerAdminIds: readonly number[]; newAdminId: number; note: string | null },
  now: Date,
  config: Config,
): Promise<void> {
  const { name: school } = await lockSchool(db);
  const roles = await listRoles(db);
  const role = roles.get(me.userId);
  if (role === undefined) throw new AppError('forbidden');
  if (role === 'admin') throw new AppError('admin_request_by_admin');
  const admins = adminsIn(roles);
  if (!areAll(admins, formerAdminIds)) throw new AppError('admin_request_not_needed');
  if (!roles.has(newAdminId) || admins.includes(newAdminId)) throw new AppError('teacher_not_found');
  const id = await insertRequest(db, {
    requested_by: me.userId,
    new_admin_id: newAdminId,
    former_admin_ids: admins,
    note,
    requested_at: now,
  });
  const request = await lockRequest(db);
  if (id === undefined || !request) throw new AppError('admin_request_pending');
  await recordChange(db, me, now, {
    action: 'admin_requested',
    subjectKind: 'user',
    subjectId: newAdminId,
    details: { teacher_ids: admins },
  });
  await announce(db, request, { kind: 'requested' }, await listRecipients(db, request, false), now, config);
  const toSupport = requestToSupportMail(config, { schoolId: db.schoolId, school, admins: admins.length });
  await sendMail(db, toSupport, NO_PEOPLE, now);
}

/** Ends a request without effect. */
async function end(
  db: SchoolDb,
  by: Actor,
  request: AdminRequestRow,
  reason: EndReason,
  now: Date,
  config: Config,
): Promise<void> {
  await deleteRequest(db);
  await recordChange(db, by, now, {
    action: 'admin_request_ended',
    subjectKind: 'user',
    subjectId: request.new_admin_id,
    details: { reason },
  });
  const names = reason === 'stopped' ? await namePeople(db, [by.userId]) : undefined;
  const step = { kind: 'ended', reason, by: names?.get(by.userId ?? 0) } as const;
  await announce(db, request, step, await listRecipients(db, request, request.due_at !== null), now, config);
}

/** The request with this ID, locked. Throws `admin_request_not_found`. */
async function getRequest(db: SchoolDb, requestId: number): Promise<AdminRequestRow> {
  await lockSchool(db);
  const request = await lockRequest(db);
  if (request?.id !== requestId) throw new AppError('admin_request_not_found');
  return request;
}

/**
 * Stops a request: an admin of the school, the person who asked, or the one to be appointed. Throws
 * `admin_request_not_found` or `forbidden`.
 */
export async function stopRequest(
  db: SchoolDb,
  me: StaffSession,
  requestId: number,
  now: Date,
  config: Config,
): Promise<void> {
  const request = await getRequest(db, requestId);
  const role = (await listRoles(db)).get(me.userId);
  const isOwn = me.userId === request.requested_by || me.userId === request.new_admin_id;
  if (role !== 'admin' && !(role && isOwn)) throw new AppError('forbidden');
  await end(db, me, request, me.userId === request.requested_by ? 'withdrawn' : 'stopped', now, config);
}

/** Runs an operator's step on a request of a school. Throws `admin_request_not_found`. */
async function withRequest(
  db: PlatformDb,
  { schoolId, requestId }: { schoolId: number; requestId: number },
  work: (school: SchoolDb, request: AdminRequestRow) => Promise<void>,
): Promise<void> {
  if (!(await hasRequest(db, schoolId, requestId))) throw new AppError('admin_request_not_found');
  await withSchool(db, schoolId, async (school) => work(school, await getRequest(school, requestId)));
}

/** Throws `admin_request_not_found` after its time, and `admin_request_outdated` when it no longer applies. */
async function assertApplies(db: SchoolDb, request: AdminRequestRow, now: Date): Promise<void> {
  if (isExpired(request, now)) throw new AppError('admin_request_not_found');
  if (await findObstacle(db, request)) throw new AppError('admin_request_outdated');
}

/** Whether an operator recorded a check and is still an operator. */
const isChecked = async (db: SchoolDb, { checked_by }: AdminRequestRow): Promise<boolean> =>
  checked_by !== null && (await withPlatform(db, (platform) => findOperatorName(platform, checked_by))) !== undefined;

/** Records how an operator checked a request. Throws why it cannot. */
export const checkRequest = (
  db: PlatformDb,
  me: Operator,
  ids: { schoolId: number; requestId: number },
  check: string,
  now: Date,
): Promise<void> =>
  withRequest(db, ids, async (school, request) => {
    await assertApplies(school, request, now);
    if (peopleOf(request).includes(me.userId)) throw new AppError('admin_request_by_another');
    if (request.due_at !== null || (await isChecked(school, request))) throw new AppError('admin_request_checked');
    await updateRequest(school, { checked_by: me.userId, checked_at: now, check_note: check });
    await recordChange(school, me, now, {
      action: 'admin_request_checked',
      subjectKind: 'user',
      subjectId: request.new_admin_id,
      details: { check },
    });
  });

/** Confirms the check of another operator and tells all staff. Throws why it cannot. */
export const confirmRequest = (
  db: PlatformDb,
  me: Operator,
  ids: { schoolId: number; requestId: number },
  now: Date,
  config: Config,
): Promise<void> =>
  withRequest(db, ids, async (school, request) => {
    await assertApplies(school, request, now);
    if (request.due_at !== null) throw new AppError('admin_request_not_found');
    if (!(await isChecked(school, request))) throw new AppError('admin_request_unchecked');
    if ([...peopleOf(request), request.checked_by].includes(me.userId)) throw new AppError('admin_request_by_another');
    const dueAt = new Date(now.getTime() + APPOINTMENT_DELAY_MS);
    await updateRequest(school, { confirmed_by: me.userId, due_at: dueAt });
    await recordChange(school, me, now, {
      action: 'admin_request_confirmed',
      subjectKind: 'user',
      subjectId: request.new_admin_id,
    });
    const { time_zone: timeZone } = await getSchoolRow(school);
    const step = { kind: 'confirmed', dueAt, timeZone } as const;
    await announce(school, request, step, await listRecipients(school, request, true), now, config);
  });

/** Cancels a request, by an operator. Throws `admin_request_not_found`. */
export const cancelRequest = (
  db: PlatformDb,
  me: Operator,
  ids: { schoolId: number; requestId: number },
  now: Date,
  config: Config,
): Promise<void> => withRequest(db, ids, (school, request) => end(school, me, request, 'cancelled', now, config));

/** Appoints the admin and removes the former ones. */
async function appoint(db: SchoolDb, request: AdminRequestRow, now: Date, config: Config): Promise<void> {
  const recipients = await listRecipients(db, request, true);
  await deleteRequest(db);
  await updateStaffRole(db, request.new_admin_id, 'admin');
  let classes = 0;
  // In ascending order, because each one locks an account, which another school may be removing too.
  for (const userId of request.former_admin_ids) classes += await leaveSchool(db, userId, now);
  await recordChange(db, NO_ACTOR, now, {
    action: 'admin_appointed',
    subjectKind: 'user',
    subjectId: request.new_admin_id,
    details: { teacher_ids: request.former_admin_ids, classes },
  });
  // After the removal, which deletes what the former admins have not been sent yet.
  await announce(db, request, { kind: 'appointed' }, recipients, now, config);
}

/** Carries out the request of a school when its time has come, or ends it when it no longer applies or was not decided. */
export async function settleRequest(db: SchoolDb, now: Date, config: Config): Promise<void> {
  await lockSchool(db);
  const request = await lockRequest(db);
  if (!request) return;
  const reason = (await findObstacle(db, request)) ?? (isExpired(request, now) ? 'undecided' : undefined);
  if (reason) await end(db, NO_ACTOR, request, reason, now, config);
  else if (request.due_at !== null && request.due_at <= now) await appoint(db, request, now, config);
}

/** The open requests of all schools, with what an operator needs to check them. */
export async function describeOpenRequests(db: PlatformDb): Promise<OpenAdminRequest[]> {
  const requests: OpenAdminRequest[] = [];
  for (const request of await listOpenRequests(db)) requests.push(await describeRequest(db, request));
  return requests;
}

const describeRequest = (
  db: PlatformDb,
  request: Awaited<ReturnType<typeof listOpenRequests>>[number],
): Promise<OpenAdminRequest> =>
  withSchool(db, request.school_id, async (school) => {
    const accounts = await findStaffAccounts(school, peopleOf(request));
    const uses = await listLastUses(school, peopleOf(request));
    const names = await namePeople(school, [request.checked_by]);
    const describePerson = (userId: number) => {
      const account = accounts.get(userId);
      return account
        ? {
            id: account.id,
            name: `${account.first_name} ${account.last_name}`,
            email: account.email,
            last_used_at: uses.get(account.id)?.toISOString() ?? null,
          }
        : null;
    };
    const { checked_by: by, checked_at: at, check_note: text } = request;
    return {
      id: request.id,
      school: { id: request.school_id, name: request.school_name },
      requested_by: describePerson(request.requested_by),
      new_admin: describePerson(request.new_admin_id),
      former_admins: request.former_admin_ids.flatMap((userId) => describePerson(userId) ?? []),
      note: request.note,
      requested_at: request.requested_at.toISOString(),
      check:
        by === null || at === null || text === null
          ? null
          : { by: { id: by, name: names.get(by) ?? 'A former colleague' }, at: at.toISOString(), text },
      due_at: request.due_at?.toISOString() ?? null,
    };
  });
