import { Button } from '../../../ui/Button.tsx';
import { useParams } from '../../../shared/router.ts';
import { paths } from '../../../paths.ts';
import { useSession } from '../../../shared/session.ts';
import { ButtonLink } from '../../../ui/ButtonLink.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { isEndedLink } from '../access/access.public.ts';
import { useEndSessionByLink } from './devices.api.ts';

const TITLE = 'Log out a device';

/** Opened by the link in an email about a new device. It has a button, because mail scanners open links. */
export default function EndSessionPage() {
  const { token = '' } = useParams();
  const session = useSession();
  const end = useEndSessionByLink(token);
  if (isEndedLink(end.error))
    return (
      <>
        <PageHeader title={TITLE} />
        <Notice kind="error">This link has expired or has already been used.</Notice>
        <p>In My details, under Security, you can see where you are logged in.</p>
        <ButtonLink fullWidth to={session ? paths.security() : paths.login({ redirect: paths.security() })}>
          {session ? 'See where you are logged in' : 'Log in'}
        </ButtonLink>
      </>
    );
  if (end.isSuccess)
    return (
      <>
        <PageHeader title={TITLE} />
        <Notice isOutcome kind="success">
          The device has been logged out.
        </Notice>
        <p>
          Now choose a new password, because someone else may know yours. A new password also logs out all your devices.
        </p>
        <ButtonLink fullWidth to={session ? paths.account() : paths.forgotten()}>
          Choose a new password
        </ButtonLink>
      </>
    );
  return (
    <>
      <PageHeader
        title={TITLE}
        lead="This link is from our email about a login on a new device. If it was not you, log out that device. Your other devices stay logged in."
      />
      {end.error && <ErrorNotice error={end.error} />}
      <Button fullWidth loading={end.isPending} onClick={() => end.mutate()}>
        Log out that device
      </Button>
    </>
  );
}
