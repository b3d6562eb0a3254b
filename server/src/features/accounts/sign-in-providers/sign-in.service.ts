import type { SignInOutcome } from '#contract/calls/sign-in-providers.ts';
import type { ErrorReply } from '#contract/error-reply.ts';
import { personName } from '#contract/fields.ts';
import { recordAccountChange } from '../../../audit/account-changes.ts';
import { recordChange } from '../../../audit/audit-log.queries.ts';
import type { Client } from '../../../auth/client.ts';
import { findLinkedAccount, touchLinkedAccount } from '../../../auth/linked-accounts.queries.ts';
import { lockUser, mustEnrol, registerUser, startSession } from '../access/access.public.ts';
import { beginLoginStep, listSecondSteps } from '../../../auth/login-steps.queries.ts';
import { NO_PASSWORD } from '../../../auth/password-hashing.ts';
import { findSession, isOperator, isProved } from '../../../auth/sessions.queries.ts';
import { lockConnection, type SignInConnection } from './sign-in-connections.queries.ts';
import { newToken } from '../../../auth/tokens.ts';
import type { Config } from '../../../config.ts';
import type { PlatformDb } from '../../../database/platform-db.ts';
import { withSchool } from '../../../database/school.ts';
import { AppError } from '../../../errors.ts';
import { countEvent } from '../../../logging/event-counts.ts';
import type { SignInProvider } from '../../../sign-in-settings.ts';
import { addLinkedAccount, assertCanSetUp, canLink, removePassword } from './linked-accounts.service.ts';
import type { ProviderPerson } from './provider-claims.service.ts';
import type { SignInPurpose } from './sign-in-flow.service.ts';

/** How a sign-in ended: with a session, with the second step of a login, or with a message. */
export type SignInResult =
  | { kind: 'session'; token: string }
  | { kind: 'second-step'; step: NonNullable<ErrorReply['second_factor']> }
  | { kind: 'message'; outcome: SignInOutcome };

const message = (outcome: SignInOutcome): SignInResult => ({ kind: 'message', outcome });

/** The school's part of an invitation, which app.ts provides because schools build on accounts. */
export interface Invitations {
  /** The school, address and name of a pending invitation. Throws `invite_not_found`, or why it has ended. */
  getInvitation: (
    db: PlatformDb,
    token: string,
    now: Date,
  ) => Promise<{ schoolId: number; email: string; name: string }>;
  /** Makes the user a member of the school. Throws why the invitation or the account does not allow it. */
  acceptInvite: (
    db: PlatformDb,
    me: { userId: number; impersonatorId: null },
    token: string,
    now: Date,
  ) => Promise<unknown>;
}

interface SignIn {
  provider: SignInProvider;
  person: ProviderPerson;
  client: Client;
  now: Date;
  config: Config;
}

/** The connection of a school through which this account may sign in to it, locked; undefined when there is none. */
const findAllowing = (
  db: PlatformDb,
  schoolId: number,
  person: ProviderPerson,
): Promise<SignInConnection | undefined> =>
  withSchool(db, schoolId, async (school) => {
    const found = await lockConnection(school, person.provider);
    return found?.tenant === person.tenant ? found : undefined;
  });

/**
 * Logs in the user who has linked this account, to the school entered last among those that use the provider with this
 * tenant. Email addresses decide nothing. The steps that follow are those of a password, except that the provider's second factor may count.
 */
export async function logIn(db: PlatformDb, { person, client, now, config }: SignIn): Promise<SignInResult> {
  const account = await findLinkedAccount(db, person);
  if (!account || account.provider !== person.provider) {
    countEvent('login_rejected');
    return message('unknown');
  }
  const user = await lockUser(db, account.userId);
  for (const schoolId of user.schoolIds) {
    const connection = await findAllowing(db, schoolId, person);
    if (!connection) continue;
    // Unlinked since it was found.
    if (!(await touchLinkedAccount(db, account.id, now))) return message('unknown');
    return proceed(db, { userId: user.id, schoolId, linkedAccountId: account.id }, connection, { client, now, config });
  }
  countEvent('login_rejected');
  const actor = { userId: user.id, impersonatorId: null };
  const change = { action: 'login_provider_failed', subjectKind: 'user', subjectId: user.id } as const;
  await recordAccountChange(db, user, actor, now, change);
  return message('not-allowed');
}

/** Starts the session of a user, or the step that must come before it. */
async function proceed(
  db: PlatformDb,
  { userId, schoolId, linkedAccountId }: { userId: number; schoolId: number; linkedAccountId: number },
  { provider, countsSecondFactor }: SignInConnection,
  { client, now, config }: Pick<SignIn, 'client' | 'now' | 'config'>,
): Promise<SignInResult> {
  const methods = await listSecondSteps(db, userId);
  // An operator's own second factor protects every school.
  const isCounted = countsSecondFactor && !(await isOperator(db, userId));
  const entry = { ...(await lockUser(db, userId)), isFromProvider: true };
  const isEnrolment = methods.length === 0 && (await mustEnrol(db, entry, schoolId, now));
  if ((methods.length > 0 || isEnrolment) && !isCounted) {
    const token = newToken();
    await beginLoginStep(db, isEnrolment ? 'enrolment' : 'second_factor', token, userId, now, {
      linkedAccountId,
      schoolId,
    });
    return { kind: 'second-step', step: { token, methods } };
  }
  countEvent('login');
  const login = { client, method: provider };
  const session = { userId, schoolId, login, hasProviderFactor: isCounted, linkedAccountId };
  const { meta } = await startSession(db, session, now, config);
  await withSchool(db, schoolId, (school) =>
    recordChange(school, { userId, impersonatorId: null }, now, {
      action: 'logged_in',
      subjectKind: 'user',
      subjectId: userId,
    }),
  );
  return { kind: 'session', token: meta.token };
}

/**
 * Links the account to the user of the browser's session, where their school allows it and the user still proves who they
 * are: the ticket may be 15 minutes old. Throws `set_up_needs_login`.
 */
export async function link(
  db: PlatformDb,
  { userId, isSetUp }: SignInPurpose & { kind: 'link' },
  { provider, person, client, now, config }: SignIn,
): Promise<SignInResult> {
  const findOwnSession = async () => {
    const session = client.session && (await findSession(db, client.session.tokenHash, now));
    const isOwn = session?.kind === 'user' && session.userId === userId && session.impersonatorId === null;
    return isOwn && session.requiresPassword === isSetUp ? session : undefined;
  };
  // Logged out, or in as another user, since the sign-in began.
  if (!(await findOwnSession())) return message('failed');
  const owner = await lockUser(db, userId);
  // Again under the lock, because a change of the account may have ended the session meanwhile.
  const me = await findOwnSession();
  if (!me?.hasConfirmedEmail) return message('failed');
  if (isSetUp) await assertCanSetUp(db, me);
  else if (!isProved(me, now)) return message('proof-required');
  if (!(await canLink(db, me, provider.id, person))) return message('not-allowed');
  const outcome = await addLinkedAccount(db, owner, person, provider, now, config);
  if (outcome === 'linked' && isSetUp) await removePassword(db, me);
  const linked = outcome === 'linked' && me.mustUseProvider ? await findLinkedAccount(db, person) : undefined;
  const connection = linked && me.schoolId !== null ? await findAllowing(db, me.schoolId, person) : undefined;
  if (!linked || !connection || me.schoolId === null) return message(outcome);
  // They have just signed in there, which is the login that the school asks for.
  const user = { userId, schoolId: me.schoolId, linkedAccountId: linked.id };
  return proceed(db, user, connection, { client, now, config });
}

const firstName = personName('first name');

/** The names of a new account: as the provider or the invitation has them. The person can correct them. */
function nameAccount(person: ProviderPerson, invited: { name: string; email: string }) {
  const [first, ...rest] = invited.name.split(/\s+/);
  const choose = (...names: (string | undefined)[]): string =>
    names.map((name) => firstName.safeParse(name)).find(({ success }) => success)?.data ?? 'Colleague';
  return {
    firstName: choose(person.firstName, first, invited.email.split('@')[0]),
    lastName: choose(person.lastName, rest.join(' ')),
  };
}

/**
 * Accepts an invitation with a new account that has no password. Never with an existing account, even one with the
 * invited address: its owner logs in to it first.
 */
export async function acceptInvitation(
  db: PlatformDb,
  { getInvitation, acceptInvite }: Invitations,
  token: string,
  { provider, person, client, now, config }: SignIn,
): Promise<SignInResult> {
  const invited = await getInvitation(db, token, now);
  const connection = await withSchool(db, invited.schoolId, (school) => lockConnection(school, provider.id));
  if (!connection || connection.tenant !== person.tenant) return message('not-allowed');
  if (await findLinkedAccount(db, person)) return message('taken');
  const names = nameAccount(person, invited);
  const account = {
    ...names,
    email: invited.email,
    passwordHash: NO_PASSWORD,
    userType: 'enterprise',
  } as const;
  const userId = await registerUser(db, account, config, now);
  await acceptInvite(db, { userId, impersonatorId: null }, token, now);
  const outcome = await addLinkedAccount(db, await lockUser(db, userId), person, provider, now, config);
  const linked = await findLinkedAccount(db, person);
  // Linked by a simultaneous request.
  if (outcome !== 'linked' || !linked) throw new AppError('conflict');
  const user = { userId, schoolId: invited.schoolId, linkedAccountId: linked.id };
  return proceed(db, user, connection, { client, now, config });
}
