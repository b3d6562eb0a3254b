import type { User } from '#contract/calls/access.ts';
import { membershipCalls } from '#contract/calls/memberships.ts';
import { inviteCalls, type OpenedInvite } from '#contract/calls/invites.ts';
import { paths } from '../../../paths.ts';
import { call } from '../../../shared/api-client.ts';
import { ApiError } from '../../../shared/api-error.ts';
import type { GuestReply, GuestScreen, GuestVisit } from '../../../shell/guest-screen.ts';
import { LoadFailure } from '../../../ui/LoadFailure.tsx';
import { InviteChoices } from './components/InviteChoices.tsx';
import { JoinFailure } from './components/JoinFailure.tsx';
import { JoinQuestion } from './components/JoinQuestion.tsx';

/** An invitation: its choices, then the acceptance once the user has logged in. */
export const inviteScreen: GuestScreen = {
  access: 'open',
  load: (visit) =>
    withInvite(visit, (invite) => (isChosen(visit, invite) ? join(visit.user, invite) : showChoices(visit, invite))),
  post: (visit, form) => withInvite(visit, (invite) => carryOut(form.get('answer'), visit, invite)),
};

/** Whether the user logged in or registered to accept this invitation. */
const isChosen = (visit: GuestVisit, { id }: OpenedInvite): visit is GuestVisit & { user: User } =>
  visit.user !== null && visit.kept.invite === id;

/** Whether the server would reject the same request again. */
const isRejection = ({ status }: ApiError): boolean => status >= 400 && status < 500 && status !== 429;

/** Continues with the invitation, or leads to the login, which explains why the invitation has ended. */
async function withInvite(
  visit: GuestVisit,
  next: (invite: OpenedInvite) => GuestReply | Promise<GuestReply>,
): Promise<GuestReply> {
  const invite = await loadInvite(visit.params.id ?? '');
  if (invite instanceof ApiError)
    return { kind: 'page', status: invite.status, content: <LoadFailure title="Invitation" error={invite} /> };
  // For a user who has logged in to accept it, the failed acceptance explains more.
  if (invite?.status === 'pending' || (invite && isChosen(visit, invite))) return next(invite);
  return {
    kind: 'redirect',
    to: paths.login({ action: `invite-${invite?.status ?? 'unknown'}` }),
    ...(visit.kept.invite === visit.params.id?.toLowerCase() && { keep: { invite: null } }),
  };
}

/** The invitation with this ID; undefined if there is none. */
async function loadInvite(inviteId: string): Promise<OpenedInvite | ApiError | undefined> {
  try {
    return (await call(inviteCalls.getInvite, { params: { inviteId } })).invite;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status < 400 || error.status >= 500) throw error;
    return isRejection(error) ? undefined : error;
  }
}

const showChoices = ({ user, query }: GuestVisit, invite: OpenedInvite, error?: ApiError): GuestReply => ({
  kind: 'page',
  status: error?.status ?? 200,
  content: <InviteChoices invite={invite} user={user} signIn={query.get('sign-in')} error={error} />,
});

const askFirst = (invite: OpenedInvite, profiles: readonly string[], error?: ApiError): GuestReply => ({
  kind: 'page',
  status: error?.status ?? 200,
  content: <JoinQuestion invite={invite} profiles={profiles} error={error} />,
  keep: { invite: invite.id },
});

/** The profiles of a private account that joining a school deletes. Demo profiles do not count. */
const ownProfiles = (user: User): string[] =>
  user.user_type === 'standard' ? user.readers.filter(({ type }) => type !== 'demo').map(({ name }) => name) : [];

/** Accepts the invitation: at once, or after the user has agreed to lose their profiles. */
async function join(user: User, invite: OpenedInvite, hasAgreed = false): Promise<GuestReply> {
  const profiles = ownProfiles(user);
  if (profiles.length > 0 && !hasAgreed) return askFirst(invite, profiles);
  try {
    const { enterprise_id: schoolId } = await call(inviteCalls.acceptInvite, { params: { inviteId: invite.id } });
    return { kind: 'redirect', to: await enterSchool(user, schoolId), keep: { invite: null } };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // The page with the app asks who the user is.
    if (error.code === 'proof_required')
      return { kind: 'redirect', to: paths.joinSchool(invite.id), keep: { invite: null } };
    const canRetry = !isRejection(error);
    if (profiles.length > 0 && canRetry) return askFirst(invite, profiles, error);
    return {
      kind: 'page',
      status: error.status,
      content: <JoinFailure invite={invite} error={error} canRetry={canRetry} />,
      keep: { invite: canRetry ? invite.id : null },
    };
  }
}

/** Where a user goes who has joined a school. One who works at another switches, or reads why they cannot yet. */
async function enterSchool(user: User, schoolId: number): Promise<string> {
  if (user.enterprise_id !== null) {
    try {
      await call(membershipCalls.switchSchool, { body: { enterprise_id: schoolId } });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return paths.ownSchools();
    }
  }
  return `${paths.dashboard()}#joined`;
}

/** Carries out what the visitor has chosen in one of the forms. */
async function carryOut(answer: string | null, visit: GuestVisit, invite: OpenedInvite): Promise<GuestReply> {
  const { user } = visit;
  if (answer === 'decline') return decline(visit, invite);
  if (answer === 'register' || answer === 'log-in')
    return {
      kind: 'redirect',
      to: answer === 'register' ? paths.register() : paths.login(),
      keep: { invite: invite.id },
      // Both are for visitors who are not signed in.
      endsSession: user !== null,
    };
  // A user whose session has ended chooses again.
  return user ? join(user, invite, answer === 'join') : showChoices(visit, invite);
}

async function decline(visit: GuestVisit, invite: OpenedInvite): Promise<GuestReply> {
  try {
    await call(inviteCalls.declineInvite, { params: { inviteId: invite.id } });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const profiles = isChosen(visit, invite) ? ownProfiles(visit.user) : [];
    return profiles.length > 0 ? askFirst(invite, profiles, error) : showChoices(visit, invite, error);
  }
  return {
    kind: 'redirect',
    to: paths.login({ action: 'decline' }),
    keep: { invite: null },
    endsSession: visit.user !== null,
  };
}
