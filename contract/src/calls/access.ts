import { z } from 'zod';
import { declareCall } from '../call.ts';
import { email, id, moment, passwordTyped } from '../fields.ts';

/** A reader that belongs to a person's own account, outside any school. */
const ownReader = z.strictObject({ id, name: z.string(), type: z.string() });

/** The signed-in person. Source: wire.md, "Shapes". */
export const user = z.strictObject({
  id,
  first_name: z.string(),
  last_name: z.string(),
  full_name: z.string(),
  email: z.string(),
  user_type: z.enum(['enterprise', 'standard']),
  enterprise_id: id.nullable(),
  enterprise: z.strictObject({ id, name: z.string(), terms_accepted_at: moment.nullable() }).nullable(),
  enterprise_user_role: z.enum(['admin', 'teacher']).nullable(),
  require_password_reset: z.boolean(),
  weekly_school_digest_optin_at: moment.nullable(),
  readers: z.array(ownReader),
});
export type User = z.infer<typeof user>;

export const loginBody = z.object({ email, password: passwordTyped });

export const logIn = declareCall({
  method: 'POST',
  path: '/auth',
  tag: 'Access',
  summary: 'Log in',
  description: 'Answers the user and a session token. Send the token as `Authorization: Bearer TOKEN` with every other call.',
  permission: 'open',
  body: loginBody,
  reply: z.strictObject({ user, meta: z.strictObject({ token: z.string() }) }),
  errors: ['login_failed'],
  rateLimits: [
    { by: 'account', field: 'email', tries: 10, seconds: 300 },
    { by: 'address', tries: 100, seconds: 300 },
  ],
});

export const logOut = declareCall({
  method: 'DELETE',
  path: '/auth',
  tag: 'Access',
  summary: 'Log out',
  description: 'Ends the session whose token is sent. Other sessions of the person go on.',
  permission: 'user',
});

export const getMe = declareCall({
  method: 'GET',
  path: '/users/me',
  tag: 'Access',
  summary: 'The signed-in person',
  permission: 'user',
  reply: z.strictObject({ user }),
});
