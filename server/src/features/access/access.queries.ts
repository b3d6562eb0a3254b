import type { User } from '#contract/calls/access.ts';
import type { Role } from '#contract/permissions.ts';
import { type RawBuilder, sql } from 'kysely';
import type { PlatformDb } from '../../database/platform.ts';

/** An e-mail address as it is compared: look-alike forms folded, lower case. */
export const emailKey = (email: string): string => email.normalize('NFKC').trim().toLowerCase();

/** An account by its id, locked so that two changes of it come one after the other. */
export const lockUser = (db: PlatformDb, userId: number) =>
  db.tx.selectFrom('users').selectAll().where('id', '=', userId).forUpdate().executeTakeFirstOrThrow();

/** What a login needs to know of an account. */
export async function findLogin(
  db: PlatformDb,
  email: string,
): Promise<{ id: number; school_id: number | null; password_hash: string } | undefined> {
  const { rows } = await sql<{ id: number; school_id: number | null; password_hash: string }>`
    select id, school_id, password_hash from users where email_key = ${emailKey(email)}`.execute(db.tx);
  return rows[0];
}

interface UserRow extends Pick<User, 'readers'> {
  id: number;
  first_name: string;
  last_name: string;
  email: string;
  user_type: User['user_type'];
  require_password_reset: boolean;
  role: Role | null;
  digest_optin_at: Date | null;
  school_id: number | null;
  school_name: string | null;
  terms_accepted_at: Date | null;
  operator_id: number | null;
  impersonator_id: number | null;
  impersonator_name: string | null;
}

/**
 * The person as the wire shows them. Throws when the account is gone.
 * @param impersonatorId the operator behind the session, where it is not the person's own
 * @param along an insert that travels with it
 */
export async function getUser(
  db: PlatformDb,
  userId: number,
  impersonatorId: number | null = null,
  along?: RawBuilder<unknown>,
): Promise<User> {
  // Plain SQL: every login and every page asks for it.
  const { rows } = await sql<UserRow>`
    ${along ? sql`with along as (${along})` : sql``}
    select u.id, u.first_name, u.last_name, u.email, u.user_type, u.require_password_reset, m.role, m.digest_optin_at,
      s.id as school_id, s.name as school_name, s.terms_accepted_at, o.user_id as operator_id,
      i.id as impersonator_id, i.first_name || ' ' || i.last_name as impersonator_name,
      (select coalesce(json_agg(json_build_object('id', r.id, 'name', r.name, 'type', r.type) order by r.id), '[]')
        from own_readers r where r.user_id = u.id) as readers
    from users u
    left join staff m on m.school_id = u.school_id and m.user_id = u.id
    left join schools s on s.id = m.school_id
    left join operators o on o.user_id = u.id
    left join users i on i.id = ${impersonatorId}::bigint
    where u.id = ${userId}`.execute(db.tx);
  const row = rows[0];
  if (!row) throw new Error('The account is gone.');
  return {
    id: row.id,
    first_name: row.first_name,
    last_name: row.last_name,
    full_name: `${row.first_name} ${row.last_name}`,
    email: row.email,
    user_type: row.user_type,
    enterprise_id: row.school_id,
    enterprise:
      row.school_id === null || row.school_name === null
        ? null
        : { id: row.school_id, name: row.school_name, terms_accepted_at: row.terms_accepted_at?.toISOString() ?? null },
    enterprise_user_role: row.role,
    require_password_reset: row.require_password_reset,
    weekly_school_digest_optin_at: row.digest_optin_at?.toISOString() ?? null,
    readers: row.readers,
    impersonated_by:
      row.impersonator_id === null ? null : { id: row.impersonator_id, full_name: row.impersonator_name ?? '' },
    is_operator: row.operator_id !== null && impersonatorId === null,
  };
}

export interface NewUser {
  email: string;
  firstName: string;
  lastName: string;
  passwordHash: string;
  userType: 'enterprise' | 'standard';
  schoolId: number | null;
}

/** Creates an account and returns its id. An address that exists is a unique violation. */
export async function insertUser(db: PlatformDb, user: NewUser, now: Date): Promise<number> {
  const { id } = await db.tx
    .insertInto('users')
    .values({
      email: user.email.trim(),
      email_key: emailKey(user.email),
      first_name: user.firstName,
      last_name: user.lastName,
      password_hash: user.passwordHash,
      user_type: user.userType,
      school_id: user.schoolId,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
