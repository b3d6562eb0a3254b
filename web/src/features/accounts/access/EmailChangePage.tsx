import { Button } from '../../../ui/Button.tsx';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useParams } from '../../../shared/router.ts';
import { paths } from '../../../paths.ts';
import { formatMoment } from '../../../shared/format.ts';
import { useSession } from '../../../shared/session.ts';
import { ButtonLink } from '../../../ui/ButtonLink.tsx';
import { EmailText } from '../../../ui/EmailText.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { useReloadMe } from './access.api.ts';
import { agreeToEmailChange, emailChangeQuery, stopEmailChange } from './accounts.api.ts';
import { isEndedLink } from './passwords.api.ts';

const TITLE = 'Change of your email address';

/** Opened by the link in the email that announces a change to the old address. Mail scanners open it too. */
export default function EmailChangePage() {
  const { token = '' } = useParams();
  const session = useSession();
  const change = useQuery(emailChangeQuery(token));
  const reloadMe = useReloadMe();
  /** The session of this browser goes on where it is the account's own, and shows its address. */
  const reload = async () => session && (await reloadMe());
  const stop = useMutation({ mutationFn: () => stopEmailChange(token), onSuccess: reload });
  const agree = useMutation({ mutationFn: () => agreeToEmailChange(token), onSuccess: reload });
  const error = stop.error ?? agree.error ?? change.error;
  if (stop.isSuccess)
    return (
      <>
        <PageHeader title={TITLE} />
        <Notice isOutcome kind="success">
          The change has been stopped, and all other devices have been logged out of your account.
        </Notice>
        <p>Now choose a new password, because someone else knows yours.</p>
        <ButtonLink fullWidth to={session ? paths.account() : paths.forgotten()}>
          Choose a new password
        </ButtonLink>
      </>
    );
  if (agree.isSuccess)
    return (
      <>
        <PageHeader title={TITLE} />
        <Notice isOutcome kind="success">
          {agree.data.is_done
            ? 'Your email address has changed. From now on, log in with the new one.'
            : 'You have agreed.'}
        </Notice>
        {!agree.data.is_done && <p>Now open the link in the email that we sent to the new address.</p>}
        <ButtonLink fullWidth to={paths.account()}>
          Go to My details
        </ButtonLink>
      </>
    );
  if (isEndedLink(error))
    return (
      <>
        <PageHeader title={TITLE} />
        <Notice kind="error">This link has expired or has already been used, or the change has ended.</Notice>
        <p>In My details you can see your email address.</p>
        <ButtonLink fullWidth to={paths.account()}>
          Go to My details
        </ButtonLink>
      </>
    );
  if (!change.data)
    return (
      <>
        <PageHeader title={TITLE} />
        {error && <ErrorNotice error={error} />}
      </>
    );
  const { email, due_at: dueAt } = change.data;
  return (
    <>
      <PageHeader title={TITLE} />
      <p>
        Someone who knows your password asked to change the email address of your account to{' '}
        <strong>
          <EmailText email={email} />
        </strong>
        . {dueAt ? `It changes on ${formatMoment(dueAt)}.` : 'The new address has not been confirmed yet.'}
      </p>
      {error && <ErrorNotice error={error} />}
      <div className="stack-m">
        <Button fullWidth loading={stop.isPending} disabled={agree.isPending} onClick={() => stop.mutate()}>
          This was not me: stop the change
        </Button>
        <Button
          fullWidth
          variant="default"
          loading={agree.isPending}
          disabled={stop.isPending}
          onClick={() => agree.mutate()}
        >
          This was me: change it without waiting
        </Button>
      </div>
    </>
  );
}
