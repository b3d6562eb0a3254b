import { z } from 'zod';
import { ACCESS_ERRORS, defineCalls } from '../call.ts';
import { id, ids, timestamp, pagedMeta, paging, text } from '../fields.ts';
import { contact } from './contacts.ts';
import { invoices, subscription } from './billing.ts';

/** A teacher of a class. */
const classTeacher = z.strictObject({ id, first_name: z.string(), last_name: z.string() }).meta({ id: 'ClassTeacher' });

/** A class in a list. `user_manages`: the caller may act on it. */
export const classSchema = z
  .strictObject({
    id,
    name: z.string(),
    readers_count: z.number().int(),
    assigned_book_count: z.number().int(),
    /** The first teacher. */
    manager: classTeacher.nullable(),
    manager_id: id.nullable(),
    /** All teachers, the first one first; each may act on the class. */
    teachers: z.array(classTeacher),
    user_manages: z.boolean(),
  })
  .meta({ id: 'Class' });
export type Class = z.infer<typeof classSchema>;

const schoolUser = z
  .strictObject({
    id,
    first_name: z.string(),
    last_name: z.string(),
    email: z.string(),
    enterprise_user_role: z.enum(['admin', 'teacher']),
    user_manages: z.boolean(),
  })
  .meta({ id: 'StaffMember' });

/** What a new school has set up so far. `has_chart_data`: a pupil has read. */
const setup = z
  .strictObject({
    has_setup_teachers: z.boolean(),
    has_setup_classes: z.boolean(),
    has_setup_pupils: z.boolean(),
    has_setup_assigned_books: z.boolean(),
    has_chart_data: z.boolean(),
  })
  .meta({ id: 'SchoolSetup' });

export const schoolSchema = z
  .strictObject({
    id,
    name: z.string(),
    urn: z.string().nullable(),
    type: z.literal('school'),
    recording_enabled: z.boolean(),
    can_enable_recordings: z.boolean(),
    user_manages: z.boolean(),
    terms_accepted_at: timestamp.nullable(),
    /** What the school has beyond what every school has: `new_statistics`. */
    features: z.array(z.enum(['new_statistics'])),
    contacts: z.array(contact),
    groups: z.array(classSchema),
    users: z.array(schoolUser),
    subscription: subscription.nullable(),
    /** Pupils outside the archive: how many of the subscription's `max_readers` are taken. */
    readers_count: z.number().int(),
    setup,
    readers: z
      .array(z.strictObject({ id, name: z.string(), group: z.strictObject({ id, name: z.string() }).nullable() }))
      .optional(),
    invoices: invoices.optional(),
    /** In a state other than `open`, calls that serve teaching answer 402; billing, account, help, staff, pupils' logins and records stay open. */
    access: z.enum(['open', 'none', 'expired', 'locked']),
  })
  .meta({ id: 'School' });
export type School = z.infer<typeof schoolSchema>;

/** `include=readers`: comma-separated parts that are left out unless asked for. */
const include = text('include takes invoices and readers, separated by a comma.')
  .transform((list) => list.split(',').filter(Boolean))
  .pipe(z.array(z.enum(['invoices', 'readers'], 'include takes invoices and readers, separated by a comma.')))
  .default([]);

/** A change of people, rights, passwords or data. `details` has what the action's words need, such as a class's name before and after. */
export const auditEntry = z
  .strictObject({
    id,
    at: timestamp,
    /** Who did it; null when the account is gone or the product did it by itself. */
    actor: z.strictObject({ id, name: z.string() }).nullable(),
    /** The operator of the company who was logged in as the actor. */
    impersonator: z.strictObject({ id, name: z.string() }).nullable(),
    action: z.string(),
    subject_kind: z.string(),
    subject_id: z.string().nullable(),
    /** The pupils concerned, the first three by their present names; without a name they were deleted since. */
    pupils: z
      .strictObject({
        total: z.number().int(),
        first: z.array(z.strictObject({ id, name: z.string().nullable() })),
      })
      .nullable(),
    details: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'AuditEntry' });
export type AuditEntry = z.infer<typeof auditEntry>;

export const schoolCalls = defineCalls({
  getSchool: {
    method: 'GET',
    path: '/enterprises/{id}',
    tag: 'School',
    summary: 'The school with its contacts, classes and staff',
    description:
      'Answered in every state of the subscription; with `include=readers` it answers 402 unless the subscription is active.',
    permission: 'view_school',
    area: 'account',
    setUp: 'school',
    example: { query: { include: 'readers' } },
    params: ids('id'),
    query: z.object({ include }),
    reply: z.strictObject({ enterprise: schoolSchema }),
    errors: Object.values(ACCESS_ERRORS),
  },

  listAuditLog: {
    method: 'GET',
    path: '/enterprises/{id}/audit-log',
    tag: 'School',
    summary: 'Who changed what, the latest first',
    permission: 'edit_school',
    area: 'records',
    example: { query: { page: '1', per_page: '25' } },
    params: ids('id'),
    query: z.object(paging),
    reply: z.strictObject({ entries: z.array(auditEntry), meta: pagedMeta }),
  },
});
