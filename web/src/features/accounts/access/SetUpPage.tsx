import { Button } from '../../../ui/Button.tsx';
import { useMutation } from '@tanstack/react-query';
import { useNavigate, useParams } from '../../../shared/router.ts';
import { paths } from '../../../paths.ts';
import { ButtonLink } from '../../../ui/ButtonLink.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { isEndedLink, openSetUpLink } from './passwords.api.ts';

/** Opened by a set-up link, which it exchanges for a session. It has a button, because mail scanners open links. */
export default function SetUpPage() {
  const { token = '' } = useParams();
  const navigate = useNavigate();
  const open = useMutation({
    mutationFn: () => openSetUpLink(token),
    onSuccess: () => navigate(paths.dashboard(), { replace: true }),
  });
  if (isEndedLink(open.error))
    return (
      <>
        <PageHeader title="Set up your account" />
        <Notice kind="error">This token is no longer authorised</Notice>
        <p>
          A set-up link works once, within a week. If you have used it, log in with your password. If not, ask the
          person who sent it for a new one.
        </p>
        <ButtonLink fullWidth to={paths.login()}>
          Go to login
        </ButtonLink>
      </>
    );
  return (
    <>
      <PageHeader title="Set up your account" lead="Select Continue to choose a password. This link works once." />
      {open.error && <ErrorNotice error={open.error} />}
      <Button fullWidth loading={open.isPending} onClick={() => open.mutate()}>
        Continue
      </Button>
    </>
  );
}
