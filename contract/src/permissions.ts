/** A school role as the wire names it (`enterprise_user_role`). */
export type Role = 'admin' | 'teacher';

/**
 * What a member of a school's staff may do by role. Whether a right holds for one row
 * (a class, a pupil) is a question for the feature's `.access.ts` on the server.
 * From section 6, on roles, of both specifications (docs/words.md says which they are).
 */
export const schoolActions = {
  view_school: ['admin', 'teacher'],
  edit_school: ['admin'],
  add_teacher: ['admin'],
  edit_teacher: ['admin'],
  delete_teacher: ['admin'],
  manage_subscription: ['admin'],
  delete_pupil: ['admin'],
  manage_classes: ['admin', 'teacher'],
  manage_pupils: ['admin', 'teacher'],
  manage_books: ['admin', 'teacher'],
} as const satisfies Record<string, readonly Role[]>;

/** An action in a school, allowed to the roles that `schoolActions` lists. */
export type SchoolAction = keyof typeof schoolActions;

/**
 * Who may make a call: `open` anybody · `user` anybody signed in, with or without a school ·
 * `reader` a pupil, with a pupil's token · `operator` the people of the company that runs the product ·
 * a school action: staff whose role allows it.
 */
export type Permission = 'open' | 'user' | 'reader' | 'operator' | SchoolAction;

/** True for the permissions that ask for a role in the session's school. */
export const isSchoolAction = (permission: Permission): permission is SchoolAction => permission in schoolActions;

/** True when the role is allowed the action in its own school. */
export const roleAllows = (role: Role, action: SchoolAction): boolean =>
  (schoolActions[action] as readonly Role[]).includes(role);
