import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { EXAMPLE } from '../examples.ts';
import { id, ids, optionalLine, requiredLine, timestamp } from '../fields.ts';

/** The days in which two operators decide on a request. */
export const DAYS_TO_DECIDE = 14;
/** The most admins that a school asks to replace at once. */
const MAX_FORMER_ADMINS = 200;
/** The hours between the second operator's decision and the appointment, in which it can be stopped. */
export const HOURS_TO_APPOINT = 24;

/** The days after registration from which the only admin is asked for a second one. */
export const SECOND_ADMIN_AFTER_DAYS = 30;
/** The days without a use of the school after which its only admin counts as away. */
export const AWAY_AFTER_DAYS = 60;

const person = z.strictObject({ id, name: z.string() });

/** A request to appoint an admin, as the staff of the school see it. People who have left are null, former admins omitted. */
export const adminRequest = z
  .strictObject({
    id,
    requested_by: person.nullable(),
    new_admin: person.nullable(),
    former_admins: z.array(person),
    requested_at: timestamp,
    /** When it takes effect; null until two operators have decided. */
    due_at: timestamp.nullable(),
  })
  .meta({ id: 'AdminRequest' });

const staffPerson = z.strictObject({
  id,
  name: z.string(),
  email: z.string(),
  /** Null when no use in the last 12 months is known. */
  last_used_at: timestamp.nullable(),
});

/** A request to appoint an admin, as operators see it. */
const openRequest = z
  .strictObject({
    id,
    school: z.strictObject({ id, name: z.string() }),
    requested_by: staffPerson.nullable(),
    new_admin: staffPerson.nullable(),
    former_admins: z.array(staffPerson),
    note: z.string().nullable(),
    requested_at: timestamp,
    /** The first operator's check; null until one has recorded it. */
    check: z.strictObject({ by: person, at: timestamp, text: z.string() }).nullable(),
    due_at: timestamp.nullable(),
  })
  .meta({ id: 'OpenAdminRequest' });
export type OpenAdminRequest = z.infer<typeof openRequest>;

export const adminRequestBody = z.object({
  /** All admins of the school, who have all left. */
  former_admin_ids: z
    .array(id, 'Send all admins of the school.')
    .min(1, 'Send all admins of the school.')
    .max(MAX_FORMER_ADMINS, `Send at most ${MAX_FORMER_ADMINS} admins.`),
  /** The member of staff to appoint. */
  new_admin_id: z.number('Choose a member of staff.').pipe(id),
  note: optionalLine('note', 500),
});

export const adminCheckBody = z.object({
  check: requiredLine('check', 500).refine((check) => check.length >= 10, 'Say in a few words what you checked.'),
});

const ofOperator = ids('schoolId', 'adminRequestId');

export const adminRequestCalls = defineCalls({
  requestAdmin: {
    method: 'POST',
    path: '/enterprises/{id}/admin-request',
    tag: 'Teachers',
    summary: 'Ask support to appoint an admin, because all admins have left',
    description:
      'By a teacher, also while the school is locked. `former_admin_ids` are all admins of the school. Two operators decide within 14 days, after a check that the school’s list of changes records. The admins and the contacts of the school get an email at once, all staff when it is decided. 24 hours later the former admins are removed. Until then any admin can stop it, and it ends if the admins change.',
    permission: 'ask_for_admin',
    ownerOnly: true,
    area: 'staff',
    example: { body: { former_admin_ids: [EXAMPLE.admin], new_admin_id: EXAMPLE.teacher, note: 'Left in July' } },
    params: ids('id'),
    body: adminRequestBody,
    errors: ['teacher_not_found', 'admin_request_by_admin', 'admin_request_not_needed', 'admin_request_pending'],
    rateLimits: [{ by: 'user', tries: 5, seconds: 3600, countsSuccesses: true }],
  },

  stopAdminRequest: {
    method: 'DELETE',
    path: '/enterprises/{id}/admin-request/{adminRequestId}',
    tag: 'Teachers',
    summary: 'Stop the appointment of an admin',
    description: 'By any admin of the school, by the colleague who asked, and by the one to be appointed.',
    permission: 'ask_for_admin',
    ownerOnly: true,
    area: 'staff',
    params: ids('id', 'adminRequestId'),
    errors: ['admin_request_not_found'],
  },

  listAdminRequests: {
    method: 'GET',
    path: '/admin/admin-requests',
    tag: 'Operators',
    summary: 'Requests to appoint an admin, oldest first',
    permission: 'operator',
    reply: z.strictObject({ requests: z.array(openRequest) }),
  },

  checkAdminRequest: {
    method: 'POST',
    path: '/admin/schools/{schoolId}/admin-request/{adminRequestId}/check',
    tag: 'Operators',
    summary: 'Record how you checked that the admins have left',
    description: 'The school’s list of changes shows it. Another operator confirms the request.',
    permission: 'operator',
    needsProof: true,
    example: { body: { check: 'Rang the office on the number in the public register' } },
    params: ofOperator,
    body: adminCheckBody,
    errors: ['admin_request_not_found', 'admin_request_outdated', 'admin_request_checked', 'admin_request_by_another'],
  },

  confirmAdminRequest: {
    method: 'POST',
    path: '/admin/schools/{schoolId}/admin-request/{adminRequestId}/confirm',
    tag: 'Operators',
    summary: 'Confirm the check of another operator',
    description: 'All staff and the contacts of the school get an email. The appointment takes effect 24 hours later.',
    permission: 'operator',
    needsProof: true,
    params: ofOperator,
    errors: [
      'admin_request_not_found',
      'admin_request_outdated',
      'admin_request_unchecked',
      'admin_request_by_another',
    ],
  },

  cancelAdminRequest: {
    method: 'DELETE',
    path: '/admin/schools/{schoolId}/admin-request/{adminRequestId}',
    tag: 'Operators',
    summary: 'Cancel a request to appoint an admin',
    permission: 'operator',
    params: ofOperator,
    errors: ['admin_request_not_found'],
  },
});
