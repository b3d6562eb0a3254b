import { randomUUID } from 'node:crypto';
import type { Membership, User } from '#contract/calls/access.ts';
import { type Role, toSpecifiedRole } from '#contract/permissions.ts';
import { type RawBuilder, sql } from 'kysely';
import { LAST_SCHOOL, listUserSchools } from '../../../auth/user-schools.queries.ts';
import { EMAIL_CONFIRMATION_MS, isConfirmationDue } from '../../../auth/sessions.queries.ts';
import type { PlatformDb } from '../../../database/platform-db.ts';
import { type SchoolDb, withSchool } from '../../../database/school.ts';
import { AppError } from '../../../errors.ts';
import { emailChangeDueAt } from './email-change.queries.ts';
import { needsProvider, type ProviderPolicy } from '../../../auth/provider-policy.ts';
import { factorDayOf, type FactorPolicy, needsFactor } from '../../../auth/factor-policy.ts';
import { addDays, dayIn } from '../../../clock.ts';
import { FACTOR_RUN_UP_DAYS } from '#contract/limits.ts';

/** The form in which email addresses are compared: look-alike characters normalised, lower case. */
export const emailKey = (email: string): string => email.normalize('NFKC').trim().toLowerCase();

/** An account by its ID with its schools, the one entered last first; locked so that changes of it run one after the other. */
export async function lockUser(db: PlatformDb, userId: number) {
  const user = await db.tx
    .selectFrom('users')
    .selectAll()
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return { ...user, schoolIds: await listUserSchools(db, userId) };
}

/** The columns of an account that a login needs. */
interface Login {
  id: number;
  /** The school that the login enters. */
  school_id: number | null;
  password_hash: string;
  email_confirmed_at: Date | null;
}

const LOGIN_COLUMNS = sql.raw(`id, ${LAST_SCHOOL} as school_id, password_hash, email_confirmed_at`);

/** The account of an email address. */
export async function findLogin(db: PlatformDb, email: string): Promise<Login | undefined> {
  const { rows } = await sql<Login>`
    select ${LOGIN_COLUMNS} from users u where email_key = ${emailKey(email)}`.execute(db.tx);
  return rows[0];
}

/**
 * Locks an account whose password has been checked. Throws `login_failed` when it has another password by now: a new
 * password has ended every login that began before.
 */
export async function lockLogin(db: PlatformDb, login: Login): Promise<Login> {
  const { rows } = await sql<Login>`
    select ${LOGIN_COLUMNS} from users u where id = ${login.id} for update`.execute(db.tx);
  const [current] = rows;
  if (!current || current.password_hash !== login.password_hash) throw new AppError('login_failed');
  return current;
}

/** The latest account registered with an address that another account has: see `insertUser`. */
export async function findHiddenLogin(db: PlatformDb, email: string): Promise<Login | undefined> {
  const { rows } = await sql<Login>`
    select ${LOGIN_COLUMNS} from users u where hidden_email_key = ${emailKey(email)}
    order by id desc limit 1`.execute(db.tx);
  return rows[0];
}

interface UserRow extends Pick<User, 'readers'> {
  id: number;
  first_name: string;
  last_name: string;
  email: string;
  user_type: User['user_type'];
  require_password_reset: boolean;
  created_at: Date;
  email_confirmed_at: Date | null;
  pending_email: string | null;
  pending_confirmed_at: Date | null;
  school_ids: number[];
  operator_id: number | null;
  impersonator_id: number | null;
  impersonator_name: string | null;
  has_factor: boolean;
}

interface MemberRow extends FactorPolicy, ProviderPolicy {
  role: Role;
  covers: User['covers'];
  digest_optin_at: Date | null;
  school_name: string;
  terms_accepted_at: Date | null;
}

/** A user's role in a school, with the school; undefined when they are not on its staff. */
async function findMember(db: SchoolDb, userId: number, now: Date): Promise<MemberRow | undefined> {
  const { rows } = await sql<MemberRow>`
    select m.role, (select coalesce(json_agg(json_build_object('group_id', v.class_id, 'ends_at', v.ends_at)
        order by v.ends_at, v.id), '[]')
        from covers v where v.school_id = ${db.schoolId} and v.user_id = ${userId} and v.ends_at > ${now}) as covers,
      m.digest_optin_at, s.name as school_name, s.terms_accepted_at, s.time_zone, s.is_provider_only,
      s.admins_factor_from, s.teachers_factor_from
    from staff m join schools s on s.id = ${db.schoolId}
    where m.school_id = ${db.schoolId} and m.user_id = ${userId} and m.until is null`.execute(db.tx);
  return rows[0];
}

/** The day from which a member of staff needs a second factor, in the days before it. */
function announcedFactorDay(member: MemberRow, now: Date): string | null {
  const from = factorDayOf(member.role, member);
  return from !== null && from <= addDays(dayIn(member.time_zone, now), FACTOR_RUN_UP_DAYS) ? from : null;
}

const toMembership = (id: number, { school_name: name, role }: MemberRow): Membership => ({
  enterprise: { id, name },
  enterprise_user_role: toSpecifiedRole(role),
  role,
});

/** What a person is in these schools. */
async function listMemberships(
  db: PlatformDb,
  userId: number,
  schoolIds: readonly number[],
  now: Date,
): Promise<Membership[]> {
  const memberships: Membership[] = [];
  // Each in its own scope, as below. Few people have more than one, and no one more than fifty.
  for (const id of schoolIds) {
    const member = await withSchool(db, id, (school) => findMember(school, userId, now));
    if (member) memberships.push(toMembership(id, member));
  }
  return memberships;
}

const { compare } = new Intl.Collator('en-GB', { numeric: true });

/** Whose view of an account it is, and in which school. */
interface Viewer {
  userId: number;
  schoolId: number | null;
  /** The operator who is impersonating the user, and does not see their other schools. */
  impersonatorId?: number | null | undefined;
  /** The session began at a sign-in provider. */
  isFromProvider: boolean;
}

/**
 * The user as the API shows them. Throws when the account was deleted.
 * @param along inserts that are sent in the same round trips: one of the platform, and one in the user's school
 */
export async function getUser(
  db: PlatformDb,
  { userId, schoolId, impersonatorId = null, isFromProvider }: Viewer,
  now: Date,
  along?: { insert: RawBuilder<unknown>; insertInSchool: (db: SchoolDb) => Promise<void> },
): Promise<User> {
  // Plain SQL, because every login and every page runs it.
  const { rows } = await sql<UserRow>`
    ${along ? sql`with along as (${along.insert})` : sql``}
    select u.id, u.first_name, u.last_name, u.email, u.user_type, u.require_password_reset,
      u.created_at, u.email_confirmed_at, o.user_id as operator_id,
      array(select m.school_id from user_schools m where m.user_id = u.id) as school_ids,
      e.email as pending_email, e.confirmed_at as pending_confirmed_at,
      i.id as impersonator_id, i.first_name || ' ' || i.last_name as impersonator_name,
      exists (select from login_factors f where f.user_id = u.id and f.confirmed_at is not null) as has_factor,
      (select coalesce(json_agg(json_build_object('id', r.id, 'name', r.name, 'type', r.type) order by r.id), '[]')
        from own_readers r where r.user_id = u.id) as readers
    from users u
    left join operators o on o.user_id = u.id
    left join users i on i.id = ${impersonatorId}::bigint
    left join email_changes e on e.user_id = u.id and (e.confirmed_at is not null or e.expires_at > ${now})
    where u.id = ${userId}`.execute(db.tx);
  const row = rows[0];
  if (!row) throw new Error('The account has been deleted.');
  // In the school's own scope: on a cluster only that scope can read what the transaction has written.
  const member =
    schoolId === null
      ? undefined
      : await withSchool(db, schoolId, async (own) => {
          const [found] = await Promise.all([findMember(own, userId, now), along?.insertInSchool(own)]);
          return found;
        });
  const mustUseProvider =
    member !== undefined && impersonatorId === null && !isFromProvider && needsProvider(member.role, member);
  const others = impersonatorId === null ? row.school_ids.filter((id) => id !== schoolId) : [];
  const memberships = await listMemberships(db, userId, others, now);
  if (schoolId !== null && member) memberships.push(toMembership(schoolId, member));
  return {
    id: row.id,
    first_name: row.first_name,
    last_name: row.last_name,
    full_name: `${row.first_name} ${row.last_name}`,
    email: row.email,
    user_type: row.user_type,
    enterprise_id: member ? schoolId : null,
    enterprise:
      schoolId !== null && member
        ? { id: schoolId, name: member.school_name, terms_accepted_at: member.terms_accepted_at?.toISOString() ?? null }
        : null,
    enterprise_user_role: member ? toSpecifiedRole(member.role) : null,
    role: member?.role ?? null,
    memberships: memberships.sort((one, other) => compare(one.enterprise.name, other.enterprise.name)),
    covers: (member?.covers ?? []).map((cover) => ({ ...cover, ends_at: new Date(cover.ends_at).toISOString() })),
    require_password_reset: row.require_password_reset,
    email_confirmation_due_at:
      row.email_confirmed_at === null ? new Date(row.created_at.getTime() + EMAIL_CONFIRMATION_MS).toISOString() : null,
    require_email_confirmation:
      row.email_confirmed_at === null &&
      (isConfirmationDue(row.created_at, now) ||
        mustUseProvider ||
        (!row.has_factor && member !== undefined && needsFactor(member.role, member, now))),
    require_provider: mustUseProvider,
    pending_email: row.pending_email,
    pending_email_due_at: emailChangeDueAt(row.pending_confirmed_at)?.toISOString() ?? null,
    weekly_school_digest_optin_at: member?.digest_optin_at?.toISOString() ?? null,
    readers: row.readers,
    impersonated_by:
      row.impersonator_id === null ? null : { id: row.impersonator_id, full_name: row.impersonator_name ?? '' },
    is_operator: row.operator_id !== null && impersonatorId === null,
    second_factor_due_on: member && !row.has_factor && impersonatorId === null ? announcedFactorDay(member, now) : null,
  };
}

export interface NewUser {
  email: string;
  firstName: string;
  lastName: string;
  passwordHash: string;
  userType: 'enterprise' | 'standard';
  /** When the user confirmed that they read mail at this address. */
  emailConfirmedAt: Date | null;
  /** Another account has the address, which must not be revealed: see docs/decisions/confirmed-addresses.md. */
  isHidden?: boolean;
}

/** Creates an account and returns its ID. An existing address is a unique violation, unless it must not be revealed. */
export async function insertUser(db: PlatformDb, user: NewUser, now: Date): Promise<number> {
  const { id } = await db.tx
    .insertInto('users')
    .values({
      email: user.email.trim(),
      // No email address has this form.
      email_key: user.isHidden ? `hidden ${randomUUID()}` : emailKey(user.email),
      hidden_email_key: user.isHidden ? emailKey(user.email) : null,
      email_confirmed_at: user.emailConfirmedAt,
      first_name: user.firstName,
      last_name: user.lastName,
      password_hash: user.passwordHash,
      user_type: user.userType,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
