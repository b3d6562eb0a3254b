import { Button } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { User } from '#contract/calls/access.ts';
import { paths } from '../../../paths.ts';
import { EmailText } from '../../../ui/EmailText.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { formatDate } from '../../../shared/format.ts';
import { PRODUCT_NAME } from '../../../shared/product.ts';
import { Notice } from '../../../ui/Notice.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { signOut } from '../access.api.ts';
import type { OpenedInvite } from '../invites.api.ts';
import css from './InviteChoices.module.css';
import { keepInvite } from '../model/stored-invite.ts';

interface Props {
  invite: OpenedInvite;
  /** Who is signed in, if anybody is. */
  user: User | undefined;
  /** Somebody signed in with the invited email wants to join. */
  onAccept: () => void;
  /** Declines the invitation and leaves. Throws when it could not be declined. */
  onDecline: () => Promise<void>;
}

/** Log in, register or decline. */
export function InviteChoices({ invite, user, onAccept, onDecline }: Props) {
  const navigate = useNavigate();
  const [isDeclining, setDeclining] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const isInvited = user?.email.toLowerCase() === invite.email.toLowerCase();

  const goOn = async (to: string) => {
    keepInvite(invite);
    // The guard keeps whoever is signed in from both screens.
    await signOut();
    await navigate(to);
  };
  const refuse = async () => {
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
      {failure !== null && <ErrorNotice error={failure} />}
      {user && !isInvited && (
        <Notice kind="warning">
          You are logged in as {user.email}. Only the account of {invite.email} can accept: logging in or registering
          logs you out first.
        </Notice>
      )}
      <div className={css.choices}>
        {user && isInvited ? (
          <Button onClick={onAccept}>Accept as {user.full_name}</Button>
        ) : (
          <>
            {/* Whoever is invited is new here, as a rule. */}
            <Button onClick={() => void goOn(paths.register())}>Register</Button>
            <Button variant="default" onClick={() => void goOn(paths.login())}>
              Log in
            </Button>
          </>
        )}
        <Button variant="subtle" loading={isDeclining} onClick={() => void refuse()}>
          Decline
        </Button>
      </div>
    </>
  );
}
