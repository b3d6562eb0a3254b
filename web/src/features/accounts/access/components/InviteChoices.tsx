import { Button } from '../../../../ui/Button.tsx';
import { useState } from 'react';
import { useNavigate, useSearchParams } from '../../../../shared/router.ts';
import type { User } from '#contract/calls/access.ts';
import { paths } from '../../../../paths.ts';
import { EmailText } from '../../../../ui/EmailText.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { formatDate } from '../../../../shared/format.ts';
import { PRODUCT_NAME } from '../../../../shared/product.ts';
import { Notice } from '../../../../ui/Notice.tsx';
import { PageHeader } from '../../../../ui/PageHeader.tsx';
import { SignInLinks, SignInNotice } from '../../sign-in-providers/sign-in-providers.public.ts';
import { logOut } from '../../../../shared/log-out.ts';
import type { OpenedInvite } from '../invites.api.ts';
import css from './InviteChoices.module.css';
import { storeInvite } from '../model/stored-invite.ts';

interface Props {
  invite: OpenedInvite;
  /** The signed-in user, if any. */
  user: User | undefined;
  /** The signed-in user with the invited email wants to join. */
  onAccept: () => void;
  /** Declines the invitation and leaves. Throws if it could not be declined. */
  onDecline: () => Promise<void>;
}

/** Log in, register or decline. */
export function InviteChoices({ invite, user, onAccept, onDecline }: Props) {
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const [isDeclining, setDeclining] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const isInvited = user?.email.toLowerCase() === invite.email.toLowerCase();

  const continueTo = async (to: string) => {
    storeInvite(invite.id);
    // The guard redirects signed-in users from both screens, and to the log out if it has not arrived.
    await logOut();
    await navigate(to);
  };
  const handleDecline = async () => {
    setDeclining(true);
    setFailure(null);
    try {
      await onDecline();
    } catch (error) {
      setFailure(error);
      setDeclining(false);
    }
  };

  return (
    <>
      <PageHeader
        title={`Join ${invite.enterprise.name}`}
        lead={`${invite.enterprise.name} invites you to ${PRODUCT_NAME}.`}
      />
      <p>
        The invitation is for{' '}
        <strong>
          <EmailText email={invite.email} />
        </strong>{' '}
        and works until {formatDate(invite.expires_at)}.
      </p>
      <SignInNotice outcome={query.get('sign-in')} />
      {failure !== null && <ErrorNotice error={failure} />}
      {user && !isInvited && (
        <Notice kind="warning">
          You are logged in as {user.email}. Only {invite.email} can accept this invitation. If you log in or register
          with that address, we’ll log you out first.
        </Notice>
      )}
      <div className={css.choices}>
        {user && isInvited ? (
          <Button onClick={onAccept}>Accept as {user.full_name}</Button>
        ) : (
          <>
            {!user && <SignInLinks ids={invite.sign_in_providers} query={{ invitation: invite.id }} />}
            {/* Most invited users are new here. */}
            <Button onClick={() => void continueTo(paths.register())}>Register</Button>
            <Button variant="default" onClick={() => void continueTo(paths.login())}>
              Log in
            </Button>
          </>
        )}
        <Button variant="subtle" loading={isDeclining} onClick={() => void handleDecline()}>
          Decline
        </Button>
      </div>
    </>
  );
}
