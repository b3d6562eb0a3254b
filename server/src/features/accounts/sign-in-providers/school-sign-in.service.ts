import type { SchoolSignIn, SignInConnection as Shown } from '#contract/calls/sign-in-providers.ts';
import { recordChange } from '../../../audit/audit-log.queries.ts';
import {
  endProviderSessions,
  forgetProviderFactors,
  type LinkedAccount,
  listLinkedAccounts,
  listUsersLinked,
} from '../../../auth/linked-accounts.queries.ts';
import { needsProvider } from '../../../auth/provider-policy.ts';
import type { Config } from '../../../config.ts';
import type { StaffSession } from '../../../context.ts';
import { lockSchool } from '../../../database/lock-school.ts';
import { withPlatform } from '../../../database/platform.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { AppError } from '../../../errors.ts';
import type { SignInProvider } from '../../../sign-in-settings.ts';
import { listStaff } from '../access/access.public.ts';
import { getProvider } from './linked-accounts.service.ts';
import {
  findConnection,
  isProviderOnly,
  listConnections,
  removeConnection,
  saveConnection,
  setProviderOnly,
  type SignInConnection,
} from './sign-in-connections.queries.ts';

const show = (
  { id, name }: SignInProvider,
  connection: SignInConnection | undefined,
  account: LinkedAccount | undefined,
): Shown => ({
  provider: id,
  name,
  connection: connection
    ? {
        tenant: connection.tenant,
        counts_second_factor: connection.countsSecondFactor,
        created_at: connection.createdAt.toISOString(),
      }
    : null,
  own_account: account ? { tenant: account.tenant } : null,
});

const listOwnAccounts = (db: SchoolDb, userId: number) =>
  withPlatform(db, (platform) => listLinkedAccounts(platform, userId));

/** The staff who would have to link an account before they can enter, and the connections that allow one. */
async function listNotLinked(
  db: SchoolDb,
  connections: readonly SignInConnection[],
): Promise<SchoolSignIn['not_linked']> {
  const staff = (await listStaff(db)).filter(({ role }) => needsProvider(role, { is_provider_only: true }));
  const ids = staff.map(({ id }) => id);
  const linked = await withPlatform(db, (platform) => listUsersLinked(platform, ids, connections));
  return staff
    .filter(({ id }) => !linked.has(id))
    .map(({ id, first_name, last_name, role }) => ({ id, first_name, last_name, role }));
}

/** How the staff of the school sign in, as one of its admins sees it. */
export async function describeSignIn(
  db: SchoolDb,
  me: StaffSession,
  { signInProviders }: Pick<Config, 'signInProviders'>,
): Promise<SchoolSignIn> {
  const connections = await listConnections(db);
  const accounts = await listOwnAccounts(db, me.userId);
  return {
    connections: signInProviders.map((provider) =>
      show(
        provider,
        connections.find((connection) => connection.provider === provider.id),
        accounts.find((account) => account.provider === provider.id),
      ),
    ),
    provider_only: await isProviderOnly(db),
    not_linked: await listNotLinked(db, connections),
  };
}

/**
 * Lets the staff sign in through a provider with the tenant of the caller's own account, or changes whether its second
 * factor counts. Throws `not_found` or `account_not_linked`.
 */
export async function allowProvider(
  db: SchoolDb,
  me: StaffSession,
  { id, countsSecondFactor }: { id: string; countsSecondFactor: boolean },
  now: Date,
  config: Config,
): Promise<Shown> {
  const provider = getProvider(config, id);
  const account = (await listOwnAccounts(db, me.userId)).find((linked) => linked.provider === provider.id);
  const before = await findConnection(db, provider.id);
  if (!before && !account) throw new AppError('account_not_linked');
  const tenant = before ? before.tenant : (account?.tenant ?? null);
  await saveConnection(db, { provider: provider.id, tenant, countsSecondFactor }, now);
  if (!countsSecondFactor)
    await withPlatform(db, (platform) => forgetProviderFactors(platform, db.schoolId, provider.id));
  if (!before || before.countsSecondFactor !== countsSecondFactor)
    await recordChange(db, me, now, {
      action: 'login_connection_changed',
      subjectKind: 'school',
      subjectId: db.schoolId,
      details: { provider: provider.name, tenant, counts_second_factor: countsSecondFactor },
    });
  return show(provider, await findConnection(db, provider.id), account);
}

/** Ends the use of a provider with the sessions that began there; with the last one, `provider_only`. Throws `not_found`. */
export async function removeProvider(
  db: SchoolDb,
  me: StaffSession,
  provider: string,
  now: Date,
  config: Config,
): Promise<void> {
  await lockSchool(db);
  if (!(await removeConnection(db, provider))) throw new AppError('not_found');
  const name = config.signInProviders.find(({ id }) => id === provider)?.name ?? provider;
  await recordChange(db, me, now, {
    action: 'login_connection_removed',
    subjectKind: 'school',
    subjectId: db.schoolId,
    details: { provider: name },
  });
  if ((await listConnections(db)).length === 0) await changeProviderOnly(db, me, false, now);
  await withPlatform(db, (platform) => endProviderSessions(platform, db.schoolId, provider));
}

/** Throws unless the school uses a provider, and the caller has linked an account there: then it works. */
async function assertUsable(db: SchoolDb, userId: number): Promise<void> {
  const connections = await listConnections(db);
  if (connections.length === 0) throw new AppError('provider_not_connected');
  const linked = await withPlatform(db, (platform) => listUsersLinked(platform, [userId], connections));
  if (!linked.has(userId)) throw new AppError('account_not_linked');
}

/** Lets staff sign in through a provider only, or in other ways again. Throws `provider_not_connected` or `account_not_linked`. */
export async function updateProviderOnly(db: SchoolDb, me: StaffSession, isOn: boolean, now: Date): Promise<void> {
  await lockSchool(db);
  if (isOn) await assertUsable(db, me.userId);
  await changeProviderOnly(db, me, isOn, now);
}

async function changeProviderOnly(db: SchoolDb, me: StaffSession, isOn: boolean, now: Date): Promise<void> {
  if ((await isProviderOnly(db)) === isOn) return;
  await setProviderOnly(db, isOn);
  await recordChange(db, me, now, {
    action: 'login_provider_only_changed',
    subjectKind: 'school',
    subjectId: db.schoolId,
    details: { is_on: isOn },
  });
}
