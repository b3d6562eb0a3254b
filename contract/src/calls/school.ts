import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { id, idInPath, ids, timestamp, pagedMeta, paging, text } from '../fields.ts';
import { AUDIT_KINDS } from '../audit-kinds.ts';
import { ASSIGNABLE_ROLES } from '../permissions.ts';
import { NATIONS } from '../nations.ts';
import { adminRequest } from './admin-requests.ts';
import { contact } from './contacts.ts';
import { invoices, subscription } from './billing.ts';
import { yearGroup } from './pupils.ts';

/** How emails that are sent unasked name pupils: by first name and initial, not at all, or in full. */
export const NAMES_IN_EMAILS = ['initial', 'none', 'full'] as const;
export type NamesInEmails = (typeof NAMES_IN_EMAILS)[number];

const WRONG_INCLUDE = 'include can be invoices, readers, or both separated by a comma.';

/** A teacher of a class. */
const classTeacher = z.strictObject({ id, first_name: z.string(), last_name: z.string() }).meta({ id: 'ClassTeacher' });

/** A class in a list, for those who may see it. `user_manages`: the caller may change it. */
export const classSchema = z
  .strictObject({
    id,
    name: z.string(),
    readers_count: z.number().int(),
    assigned_book_count: z.number().int(),
    /** The current year groups of its pupils, the youngest first; without M and X. */
    year_groups: z.array(yearGroup),
    /** The first teacher. */
    manager: classTeacher.nullable(),
    manager_id: id.nullable(),
    /** All teachers, starting with the first; each may change the class. */
    teachers: z.array(classTeacher),
    /** Teaching assistants, who see the class. */
    assistants: z.array(classTeacher),
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
    /** `teacher` for every role but admin. */
    enterprise_user_role: z.enum(['admin', 'teacher']),
    role: z.enum(ASSIGNABLE_ROLES),
    user_manages: z.boolean(),
  })
  .meta({ id: 'StaffMember' });

/** What a new school has set up so far. `has_chart_data`: at least one pupil has read. */
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
    /** Guessed from the postcode of the primary contact unless `nation_chosen`; null outside the United Kingdom. */
    nation: z.enum(NATIONS).nullable(),
    nation_chosen: z.boolean(),
    recording_enabled: z.boolean(),
    names_in_emails: z.enum(NAMES_IN_EMAILS),
    can_enable_recordings: z.boolean(),
    user_manages: z.boolean(),
    terms_accepted_at: timestamp.nullable(),
    /** Optional features of this school. */
    features: z.array(z.enum(['new_statistics'])),
    contacts: z.array(contact),
    groups: z.array(classSchema),
    /** Without supply teachers, whom `listCovers` returns. */
    users: z.array(schoolUser),
    subscription: subscription.nullable(),
    /** Pupils who are not archived: the places used of the subscription's `max_readers`. */
    readers_count: z.number().int(),
    setup,
    readers: z
      .array(z.strictObject({ id, name: z.string(), group: z.strictObject({ id, name: z.string() }).nullable() }))
      .optional(),
    invoices: invoices.optional(),
    /**
     * Unless `open`, calls for teaching and settings return 402; billing, account, help, staff, pupils' logins and records
     * stay available. `support`: a session of support without permission, which has only settings, billing, account and help.
     * `closed`: everything can be read and exported, and changes return 409.
     */
    access: z.enum(['open', 'none', 'expired', 'locked', 'closed', 'support']),
    /** Set while the school is being closed, or is closed. */
    closing: z
      .strictObject({
        /** The admin who asked; null once they have left. */
        requested_by: z.strictObject({ id, name: z.string() }).nullable(),
        /** When the school closes unless another admin confirms it before. */
        takes_effect_at: timestamp,
        /** Null until it is closed. */
        closed_at: timestamp.nullable(),
        /** When a closed school is erased; null until it is closed. */
        erase_at: timestamp.nullable(),
      })
      .nullable(),
    /** Set while support is asked to appoint an admin, because the only one has left. */
    admin_request: adminRequest.nullable(),
    /** Set while the school has one admin: `due` from 30 days after its registration, `away` once the admin has not used it for 60 days. */
    second_admin: z.enum(['due', 'away']).nullable(),
  })
  .meta({ id: 'School' });
export type School = z.infer<typeof schoolSchema>;

/** The optional parts of a school. */
const part = z.enum(['invoices', 'readers'], WRONG_INCLUDE);
export type SchoolPart = z.infer<typeof part>;

const listOfParts = text(WRONG_INCLUDE, WRONG_INCLUDE, 200);
/** `include=readers`: a comma-separated list of optional parts to return. The parameter can be repeated. */
const include = z
  .union([listOfParts, z.array(listOfParts)], WRONG_INCLUDE)
  .transform((lists) => [
    ...new Set(
      [lists]
        .flat()
        .flatMap((list) => list.split(','))
        .map((name) => name.trim())
        .filter(Boolean),
    ),
  ])
  .pipe(z.array(part))
  .default([]);

/** A change to people, roles, passwords or data. `details` has the values for the sentence shown, such as the old and new name of a class, with the current names of people: `teacher`, `teachers`, and `invited` for someone invited. They are empty when they were about someone erased since. */
export const auditEntry = z
  .strictObject({
    id,
    at: timestamp,
    /** The user; null if the account was deleted or the change was automatic. */
    actor: z.strictObject({ id, name: z.string() }).nullable(),
    /** The operator of the company who was logged in as the actor. */
    impersonator: z.strictObject({ id, name: z.string() }).nullable(),
    /** The program that did it; the actor is the admin who answers for it. */
    program: z.strictObject({ id, name: z.string() }).nullable(),
    action: z.string(),
    subject_kind: z.string(),
    subject_id: z.string().nullable(),
    /** The pupils concerned, the first three by their current names; null for a pupil erased since. */
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

/** Filters of the audit log. */
export const auditFilters = {
  actor_id: z.union([idInPath, z.enum(['support', 'programs'])]).optional(),
  kind: z.enum(AUDIT_KINDS, `Choose one of ${AUDIT_KINDS.join(', ')}.`).optional(),
  from: z.iso.date('Enter a real date, such as 2026-11-21.').optional(),
  to: z.iso.date('Enter a real date, such as 2026-11-21.').optional(),
  search: text('Send a text to search for.').max(191, 'Search for at most 191 characters.').optional(),
};

export const schoolCalls = defineCalls({
  getSchool: {
    method: 'GET',
    path: '/enterprises/{id}',
    tag: 'School',
    summary: 'The school with its contacts, classes and staff',
    description:
      'Available in every state of the school and of the subscription, before the terms are accepted and after the deadline for confirming the caller’s address. `meta.omitted` names the parts of `include` that are left out: `readers` while that state, or a session of support without permission, closes teaching; `invoices` for a teacher.',
    permission: 'view_school',
    area: 'account',
    setUp: 'school',
    whileUnconfirmed: true,
    example: { query: { include: 'readers' } },
    params: ids('id'),
    query: z.object({ include }),
    reply: z.strictObject({ enterprise: schoolSchema, meta: z.strictObject({ omitted: z.array(part) }) }),
  },

  listAuditLog: {
    method: 'GET',
    path: '/enterprises/{id}/audit-log',
    tag: 'School',
    summary: 'Who changed what, newest first',
    description:
      'Filters can be combined. `actor_id` is a user, or `support` or `programs` for everything that they did, `kind` what the entry is about, `from` and `to` are days in the school’s time zone, both included. `search` finds text in the details and the names of pupils and staff.',
    permission: 'view_privacy',
    area: 'records',
    example: { query: { page: '1', per_page: '25', kind: 'pupils', from: '2026-11-01' } },
    params: ids('id'),
    query: z.object({ ...paging, ...auditFilters }),
    reply: z.strictObject({ entries: z.array(auditEntry), meta: pagedMeta }),
  },
});
