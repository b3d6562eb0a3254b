import { Button } from '../../../../ui/Button.tsx';
import type { User } from '#contract/calls/access.ts';
import { formatMoment } from '../../../../shared/format.ts';
import { hasFailed, useMailDeliveries } from '../../../../shared/mail-deliveries.ts';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { LogOutLink } from '../../../../ui/LogOutForm.tsx';
import { Notice } from '../../../../ui/Notice.tsx';
import { useCancelEmailChange } from '../account.api.ts';
import { ResendConfirmation } from './ResendConfirmation.tsx';

/** What the user must do about their email address: confirm a new one, or their only one when the time is over. */
export function EmailNotice({ user }: { user: User }) {
  return (
    <>
      {user.require_email_confirmation && (
        <Notice kind="warning" title="Confirm your email address to continue">
          <p className="flat">
            You can use an account for 7 days before you confirm its address. Open the link in the email we sent to{' '}
            {user.email}, or change the address below. We keep everything until then.
          </p>
          <div className="row flat above-s">
            {!user.pending_email && <ResendConfirmation />}
            <LogOutLink />
          </div>
        </Notice>
      )}
      <FailedEmail user={user} />
      {user.pending_email && (
        <PendingEmail email={user.email} pending={user.pending_email} dueAt={user.pending_email_due_at} />
      )}
    </>
  );
}

/** Emails to the user do not arrive. */
function FailedEmail({ user }: { user: User }) {
  const failed = useMailDeliveries(user).find((delivery) => delivery.about === 'account' && hasFailed(delivery));
  if (!failed) return null;
  return (
    <Notice kind="warning" title={`Emails to ${failed.email} do not arrive`}>
      <p className="flat">
        {failed.reason && `The mail server said: “${failed.reason}”. `}
        Change your email below.
        {failed.is_blocked && ' Until then we send nothing to this address.'}
      </p>
    </Notice>
  );
}

/** @param dueAt when the confirmed address takes effect; null while it is not confirmed */
function PendingEmail({ email, pending, dueAt }: { email: string; pending: string; dueAt: string | null }) {
  const cancel = useCancelEmailChange();
  return (
    <Notice title={dueAt ? `Your email changes to ${pending}` : `Waiting for confirmation of ${pending}`}>
      {dueAt ? (
        <p className="flat">
          You have confirmed it. We’ll use it from {formatMoment(dueAt)}. Until then, log in with {email}, where we also
          send your emails. To change it now, open the link in the email that we sent to {email}.
        </p>
      ) : (
        <p className="flat">
          Open the link in the email we sent there. Until then, keep logging in with {email}, where we also send your
          emails.
        </p>
      )}
      {cancel.error && <ErrorNotice error={cancel.error} />}
      <p className="row flat above-s">
        {!dueAt && <ResendConfirmation />}
        <Button variant="default" size="compact-md" loading={cancel.isPending} onClick={() => cancel.mutate()}>
          Cancel the change
        </Button>
      </p>
    </Notice>
  );
}
