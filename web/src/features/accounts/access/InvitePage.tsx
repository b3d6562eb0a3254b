import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useNavigate, useParams } from '../../../shared/router.ts';
import { paths } from '../../../paths.ts';
import { ApiError } from '../../../shared/api-error.ts';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { useSession } from '../../../shared/session.ts';
import { logOut } from '../../../shared/log-out.ts';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { PageSkeleton } from '../../../ui/PageSkeleton.tsx';
import { InviteChoices } from './components/InviteChoices.tsx';
import { JoinStep } from './components/JoinStep.tsx';
import { forgetInvite, storeInvite, readInvite, useStoredInvite } from './model/stored-invite.ts';
import { decline, inviteQuery } from './invites.api.ts';

/** An invitation: its choices, then the acceptance once the user has logged in. */
export default function InvitePage() {
  const { id = '' } = useParams();
  return <Invitation key={id} id={id} />;
}

function Invitation({ id }: { id: string }) {
  const navigate = useNavigate();
  const session = useSession();
  const stored = useStoredInvite();
  const [isAccepting, setAccepting] = useState(false);
  const [isDeclining, setDeclining] = useState(false);
  // State, because a join that fails removes the stored invitation and then shows why.
  if (!isAccepting && session !== null && stored === id.toLowerCase()) setAccepting(true);
  const { data, error, refetch } = useQuery({ ...inviteQuery(id), refetchOnWindowFocus: false, staleTime: 0 });
  const invite = data?.invite;

  const isUnknown = error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;
  const over = isUnknown ? 'unknown' : invite && invite.status !== 'pending' ? invite.status : undefined;
  useEffect(() => {
    // The invitation changes while it is being accepted or declined. The page then continues by itself.
    const isKept = readInvite() === id.toLowerCase();
    if (!over || isAccepting || isDeclining || (session && isKept)) return;
    if (isKept) forgetInvite();
    void navigate(paths.login({ action: `invite-${over}` }), { replace: true });
  }, [over, isAccepting, isDeclining, session, id, navigate]);

  if (error && !isUnknown)
    return (
      <>
        <PageHeader title="Invitation" />
        <ErrorNotice error={error} onRetry={() => void refetch()} />
      </>
    );
  if (!invite || (over && !isAccepting))
    return (
      <>
        <PageHeader title="Invitation" />
        <PageSkeleton />
      </>
    );

  const handleDecline = async () => {
    setDeclining(true);
    try {
      await declineAndLeave(invite.id);
      await navigate(paths.login({ action: 'decline' }), { replace: true });
    } catch (thrown) {
      setDeclining(false);
      throw thrown;
    }
  };
  if (session && isAccepting) return <JoinStep invite={invite} user={session.user} onDecline={handleDecline} />;

  const accept = () => {
    storeInvite(invite.id);
    setAccepting(true);
  };
  return <InviteChoices invite={invite} user={session?.user} onAccept={accept} onDecline={handleDecline} />;
}

/** Declines the invitation, removes it from this browser and logs out. Throws if it could not be declined. */
async function declineAndLeave(inviteId: string): Promise<void> {
  await decline(inviteId);
  forgetInvite();
  await logOut();
}
