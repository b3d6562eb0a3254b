import { recordAccountChange } from '../../../audit/account-changes.ts';
import {
  detachSession,
  findLinkedAccount,
  hasLoginMethod,
  insertLinkedAccount,
  type LinkedAccount,
  removeLinkedAccount,
} from '../../../auth/linked-accounts.queries.ts';
import { listFactors } from '../../../auth/login-factors.queries.ts';
import { removeTokens } from '../../../auth/one-time-tokens.queries.ts';
import { NO_PASSWORD } from '../../../auth/password-hashing.ts';
import { removeUserSessions, type UserSession } from '../../../auth/sessions.queries.ts';
import { findConnection, listConnections } from './sign-in-connections.queries.ts';
import type { Config } from '../../../config.ts';
import type { PlatformDb } from '../../../database/platform-db.ts';
import { withSchool } from '../../../database/school.ts';
import { AppError } from '../../../errors.ts';
import { sendMail } from '../../../mail/mail.ts';
import type { SignInProvider } from '../../../sign-in-settings.ts';
import { lockUser, setPassword } from '../access/access.public.ts';
import { linkChangedMail } from './linked-account.mail.ts';
import type { ProviderPerson } from './provider-claims.service.ts';

/** A provider of the settings by its ID. Throws `not_found`. */
export function getProvider({ signInProviders }: Pick<Config, 'signInProviders'>, id: string): SignInProvider {
  const provider = signInProviders.find((known) => known.id === id);
  if (!provider) throw new AppError('not_found');
  return provider;
}

type Member = Pick<UserSession, 'schoolId' | 'role' | 'requiresPassword'>;

/**
 * Returns whether a member of staff may link an account of this tenant; without a tenant, any account of the provider.
 * An admin with another way to log in may before the school uses the provider, because connecting takes the tenant from
 * an admin's own account.
 */
export async function canLink(
  db: PlatformDb,
  { schoolId, role, requiresPassword }: Member,
  provider: string,
  tenant?: { tenant: string | null },
): Promise<boolean> {
  if (schoolId === null || role === null) return false;
  const connection = await withSchool(db, schoolId, (school) => findConnection(school, provider));
  if (!connection) return role === 'admin' && !requiresPassword;
  return tenant === undefined || tenant.tenant === connection.tenant;
}

/** The IDs of those of these accounts with which their owner can sign in to the school. */
export async function listAllowed(
  db: PlatformDb,
  schoolId: number | null,
  accounts: readonly LinkedAccount[],
): Promise<Set<number>> {
  if (schoolId === null || accounts.length === 0) return new Set();
  const connections = await withSchool(db, schoolId, listConnections);
  const isAllowed = ({ provider, tenant }: LinkedAccount) =>
    connections.some((connection) => connection.provider === provider && connection.tenant === tenant);
  return new Set(accounts.filter(isAllowed).map(({ id }) => id));
}

interface Owner {
  id: number;
  email: string;
  first_name: string;
  schoolIds: number[];
}

/** Emails the owner of an account about a link, and records it in the audit log of their schools. */
async function notifyOwner(
  db: PlatformDb,
  user: Owner,
  { name, isLinked }: { name: string; isLinked: boolean },
  now: Date,
  config: Config,
): Promise<void> {
  const change = { email: user.email, firstName: user.first_name, provider: name, isLinked };
  await sendMail(db, linkChangedMail(config.productName, change), { users: [user.id] }, now);
  await recordAccountChange(db, user, { userId: user.id, impersonatorId: null }, now, {
    action: isLinked ? 'login_provider_linked' : 'login_provider_unlinked',
    subjectKind: 'user',
    subjectId: user.id,
    details: { provider: name },
  });
}

/**
 * Links an account to a user under the user's lock. Returns why it cannot, or `linked`, also when this user has linked
 * it before.
 */
export async function addLinkedAccount(
  db: PlatformDb,
  user: Owner,
  person: ProviderPerson,
  { name }: SignInProvider,
  now: Date,
  config: Config,
): Promise<'linked' | 'taken' | 'other-linked'> {
  const isNew = await insertLinkedAccount(db, user.id, person, now);
  if (isNew) {
    await notifyOwner(db, user, { name, isLinked: true }, now, config);
    return 'linked';
  }
  const existing = await findLinkedAccount(db, person);
  if (!existing) return 'other-linked';
  return existing.userId === user.id ? 'linked' : 'taken';
}

/**
 * Replaces the first password of a user by the account that they have just linked. Their other sessions and links end, as
 * with a new password.
 */
export async function removePassword(db: PlatformDb, { userId, tokenHash }: UserSession): Promise<void> {
  await setPassword(db, userId, NO_PASSWORD);
  await removeUserSessions(db, userId, tokenHash);
  await removeTokens(db, userId);
}

/** Throws unless the user may link an account instead of choosing a first password. */
export async function assertCanSetUp(db: PlatformDb, { userId, requiresPassword }: UserSession): Promise<void> {
  if (!requiresPassword || (await listFactors(db, userId)).length > 0) throw new AppError('set_up_needs_login');
}

/**
 * Unlinks an account. Sessions that began with it end, except this one, whose user has proved who they are; a second
 * factor at the provider no longer counts for it. Throws `not_found`, or `last_login_method` for the only way in of an
 * account without a password.
 */
export async function unlinkAccount(
  db: PlatformDb,
  { userId, tokenHash }: UserSession,
  linkedAccountId: number,
  now: Date,
  config: Config,
): Promise<void> {
  const user = await lockUser(db, userId);
  await detachSession(db, tokenHash, linkedAccountId);
  const provider = await removeLinkedAccount(db, userId, linkedAccountId);
  if (provider === undefined) throw new AppError('not_found');
  if (!(await hasLoginMethod(db, userId))) throw new AppError('last_login_method');
  const name = config.signInProviders.find(({ id }) => id === provider)?.name ?? provider;
  await notifyOwner(db, user, { name, isLinked: false }, now, config);
}
