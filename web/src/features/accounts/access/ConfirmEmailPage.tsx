import { Button } from '../../../ui/Button.tsx';
import { useMutation } from '@tanstack/react-query';
import { useParams } from '../../../shared/router.ts';
import { paths } from '../../../paths.ts';
import { formatMoment } from '../../../shared/format.ts';
import { useSession } from '../../../shared/session.ts';
import { ButtonLink } from '../../../ui/ButtonLink.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { useReloadMe } from './access.api.ts';
import { confirmEmail } from './accounts.api.ts';
import { isEndedLink } from './passwords.api.ts';

/** Opened by a link in an email. It has a button, because mail scanners open links. */
export default function ConfirmEmailPage() {
  const { token = '' } = useParams();
  const session = useSession();
  const reloadMe = useReloadMe();
  const confirm = useMutation({
    mutationFn: async () => {
      const { email_changes_at: changesAt } = await confirmEmail(token);
      if (session) await reloadMe();
      return changesAt;
    },
  });
  const hasEnded = isEndedLink(confirm.error);
  if (!confirm.isSuccess && !hasEnded)
    return (
      <>
        <PageHeader
          title="Confirm your email address"
          lead="Select Confirm to confirm that this is your email address."
        />
        {confirm.error && <ErrorNotice error={confirm.error} />}
        <Button fullWidth loading={confirm.isPending} onClick={() => confirm.mutate()}>
          Confirm
        </Button>
      </>
    );
  return (
    <>
      <PageHeader title="Confirm your email address" />
      {hasEnded ? (
        <>
          <Notice kind="error">This link has expired or has already been used.</Notice>
          <p>Log in to check whether your address is confirmed. If it is not, you can send the link again.</p>
        </>
      ) : (
        <>
          <Notice isOutcome kind="success">
            Your email address has been confirmed.
          </Notice>
          {confirm.data && (
            <p>
              We’ll use it from {formatMoment(confirm.data)}. Until then, log in with your old address. To change it
              now, open the link in the email that we sent to the old address.
            </p>
          )}
        </>
      )}
      {session ? (
        <ButtonLink fullWidth to={paths.dashboard()}>
          Go to main page
        </ButtonLink>
      ) : (
        <ButtonLink fullWidth to={paths.login()}>
          Go to login
        </ButtonLink>
      )}
    </>
  );
}
