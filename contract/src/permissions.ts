/** The roles that an admin can give, in the order in which they are offered. The specification has the first two. */
export const ASSIGNABLE_ROLES = [
  'admin',
  'teacher',
  'reading_lead',
  'teaching_assistant',
  'business_manager',
  'data_protection_officer',
] as const;
export type AssignableRole = (typeof ASSIGNABLE_ROLES)[number];

/** Every role of a school's staff. A supply teacher has theirs from a cover, and loses it with the last one. */
export const ROLES = [...ASSIGNABLE_ROLES, 'supply_teacher'] as const;
export type Role = (typeof ROLES)[number];

/** A role with its name and, in a sentence each, what it is for. */
export const ROLE_TEXTS: Readonly<Record<Role, { name: string; summary: string }>> = {
  admin: {
    name: 'Admin',
    summary: 'Sees and changes every class and pupil, and manages staff, the subscription and the school.',
  },
  teacher: { name: 'Teacher', summary: 'Sees every class, and manages their own classes and the pupils in them.' },
  reading_lead: {
    name: 'Reading lead or SENCO',
    summary:
      'A teacher who also reads everything about every pupil, assigns books to every class and chooses when a pupil needs help.',
  },
  teaching_assistant: {
    name: 'Teaching assistant',
    summary: 'Sees the pupils of the classes they help in, how they read, and prints their logins. No notes or tags.',
  },
  business_manager: {
    name: 'Business manager',
    summary: 'Manages the subscription, the invoices and the contacts. Sees no pupils.',
  },
  data_protection_officer: {
    name: 'Data protection officer',
    summary: 'Answers requests about data, and sees what is stored, erased and changed. Erases nothing.',
  },
  supply_teacher: {
    name: 'Supply teacher',
    summary: 'Sees the classes that they cover until the end of the cover, and logs in with a code. No notes or tags.',
  },
};

/** The role as someone has it: “an admin”, “a teaching assistant”. */
export function withArticle(role: Role): string {
  const { name } = ROLE_TEXTS[role];
  return `${role === 'admin' ? 'an' : 'a'} ${name.charAt(0).toLowerCase()}${name.slice(1)}`;
}

/** The classes to which a right applies: all of the school, those that the user teaches or helps in, or none. */
export type Scope = 'school' | 'own' | 'none';

/**
 * The classes whose pupils a role can see, whose notes, tags, hard words and reasons for needing help it can read, that
 * it can change, for which it can renew logins and assign books. Who can change their own classes can also change pupils
 * without a class. For `pupils` and `logins` someone's own classes include those that they cover. docs/decisions/roles.md
 */
export const roleScopes: Readonly<
  Record<Role, Readonly<Record<'pupils' | 'details' | 'changes' | 'logins' | 'books', Scope>>>
> = {
  admin: { pupils: 'school', details: 'school', changes: 'school', logins: 'school', books: 'school' },
  teacher: { pupils: 'school', details: 'own', changes: 'own', logins: 'own', books: 'own' },
  reading_lead: { pupils: 'school', details: 'school', changes: 'own', logins: 'own', books: 'school' },
  teaching_assistant: { pupils: 'own', details: 'none', changes: 'none', logins: 'own', books: 'none' },
  business_manager: { pupils: 'none', details: 'none', changes: 'none', logins: 'none', books: 'none' },
  data_protection_officer: { pupils: 'none', details: 'none', changes: 'none', logins: 'none', books: 'none' },
  supply_teacher: { pupils: 'own', details: 'none', changes: 'none', logins: 'own', books: 'none' },
};

/** Roles that a class can have as a teacher. */
export const isTeachingRole = (role: Role): boolean => roleScopes[role].changes !== 'none';

/** Roles that can be given to a class, or cover one: teachers and teaching assistants. */
export const hasClasses = (role: Role): boolean => roleScopes[role].pupils !== 'none' && role !== 'supply_teacher';

const ADMIN = ['admin'] as const;
const TEACHING = ['admin', 'teacher', 'reading_lead'] as const;
const WITH_PUPILS = [...TEACHING, 'teaching_assistant', 'supply_teacher'] as const;

/**
 * The actions that each role allows. For admins and teachers they are those of section 6 of both specifications. Whether
 * an action is allowed on one class or pupil is decided in the feature's `.access.ts` on the server.
 */
export const schoolActions = {
  view_school: ROLES,
  ask_for_admin: ASSIGNABLE_ROLES,
  view_pupils: WITH_PUPILS,
  view_details: TEACHING,
  view_privacy: ['admin', 'data_protection_officer'],
  edit_school: ADMIN,
  edit_contacts: ['admin', 'business_manager'],
  add_teacher: ADMIN,
  edit_teacher: ADMIN,
  delete_teacher: ADMIN,
  manage_subscription: ['admin', 'business_manager'],
  manage_requests: ['admin', 'data_protection_officer'],
  manage_reasons: ['admin', 'reading_lead'],
  manage_notes: TEACHING,
  delete_pupil: ADMIN,
  manage_classes: TEACHING,
  manage_pupils: TEACHING,
  edit_pupils: WITH_PUPILS,
  manage_logins: WITH_PUPILS,
  manage_books: TEACHING,
} as const satisfies Record<string, readonly Role[]>;

/** An action in a school, allowed for the roles in `schoolActions`. */
export type SchoolAction = keyof typeof schoolActions;

/**
 * Who may make a call. `open`: anyone. `user`: anyone signed in, with or without a school. `reader`: a pupil, with a
 * pupil's token. `operator`: staff of the company that runs the product. `program`: a program with a token of its school. A
 * school action: staff whose role allows it, and programs where the call says so.
 */
export type Permission = 'open' | 'user' | 'reader' | 'operator' | 'program' | SchoolAction;

/** True for permissions that require a role in the session's school. */
export const isSchoolAction = (permission: Permission): permission is SchoolAction => permission in schoolActions;

/** True when the role allows the action in its own school. */
export const roleAllows = (role: Role, action: SchoolAction): boolean =>
  (schoolActions[action] as readonly Role[]).includes(role);

/**
 * Roles that can do something that a teacher cannot. Only an admin who has just proved who they are gives them: an
 * unattended computer must not be enough.
 */
export const exceedsTeacher = (role: Role): boolean =>
  (Object.keys(schoolActions) as SchoolAction[]).some(
    (action) => roleAllows(role, action) && !roleAllows('teacher', action),
  );

/** The role as the specification has it: `admin` for admins, and `teacher` for all others. */
export const toSpecifiedRole = (role: Role): 'admin' | 'teacher' => (role === 'admin' ? 'admin' : 'teacher');
