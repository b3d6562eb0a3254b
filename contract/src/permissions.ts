/** A role in a school (`enterprise_user_role` in the API). */
export type Role = 'admin' | 'teacher';

/**
 * The actions that each role allows, from section 6 of both specifications. Whether an action is allowed on one class or
 * pupil is decided in the feature's `.access.ts` on the server.
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

/** An action in a school, allowed for the roles in `schoolActions`. */
export type SchoolAction = keyof typeof schoolActions;

/**
 * Who may make a call. `open`: anyone. `user`: anyone signed in, with or without a school. `reader`: a pupil, with a
 * pupil's token. `operator`: staff of the company that runs the product. A school action: staff whose role allows it.
 */
export type Permission = 'open' | 'user' | 'reader' | 'operator' | SchoolAction;

/** True for permissions that require a role in the session's school. */
export const isSchoolAction = (permission: Permission): permission is SchoolAction => permission in schoolActions;

/** True when the role allows the action in its own school. */
export const roleAllows = (role: Role, action: SchoolAction): boolean =>
  (schoolActions[action] as readonly Role[]).includes(role);
