import { Button } from '@mantine/core';
import type { User } from '#contract/calls/access.ts';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { LogOutLink } from '../../../ui/LogOutLink.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { useCancelEmailChange } from '../account.api.ts';
import css from './EmailNotice.module.css';
import { ResendConfirmation } from './ResendConfirmation.tsx';

/** What the user must do about their email address: confirm a new one, or their only one when the time is over. */
export function EmailNotice({ user }: { user: User }) {
  return (
    <>
      {user.require_email_confirmation && (
        <Notice kind="warning" title="Confirm your email address to continue">
          <p className={css.text}>
            You can use an account for 7 days before you confirm its address. Open the link in the email we sent to{' '}
            {user.email}, or change the address below. We keep everything until then.
          </p>
          <div className={css.actions}>
            {!user.pending_email && <ResendConfirmation />}
            <LogOutLink />
          </div>
        </Notice>
      )}
      {user.pending_email && <PendingEmail email={user.email} pending={user.pending_email} />}
    </>
  );
}

function PendingEmail({ email, pending }: { email: string; pending: string }) {
  const cancel = useCancelEmailChange();
  return (
    <Notice title={`Waiting for confirmation of ${pending}`}>
      <p className={css.text}>Open the link in the email we sent there. Until then, keep logging in with {email}.</p>
      {cancel.error && <ErrorNotice error={cancel.error} />}
      <p className={css.actions}>
        <ResendConfirmation />
        <Button variant="default" size="compact-md" loading={cancel.isPending} onClick={() => cancel.mutate()}>
          Cancel the change
        </Button>
      </p>
    </Notice>
  );
}
