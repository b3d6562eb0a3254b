import { useEffect, useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { paths } from '../../paths.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { ButtonLink } from '../../ui/ButtonLink.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { PageSkeleton } from '../../ui/PageSkeleton.tsx';
import { isEndedLink, openSetUpLink } from './passwords.api.ts';

/** Opened by a set-up link, which it exchanges for a session. */
export default function SetUpPage() {
  const { token = '' } = useParams();
  const navigate = useNavigate();
  const [failure, setFailure] = useState<unknown>(null);
  useEffect(() => {
    openSetUpLink(token).then(() => navigate(paths.dashboard(), { replace: true }), setFailure);
  }, [token, navigate]);

  return (
    <>
      <PageHeader title="Set up your account" />
      {failure === null ? (
        <PageSkeleton />
      ) : (
        <>
          {isEndedLink(failure) ? (
            <Notice kind="error">This token is no longer authorised</Notice>
          ) : (
            <ErrorNotice error={failure} onRetry={() => window.location.reload()} />
          )}
          <p>
            A set-up link works once, within a week. If you have used it, log in with your password. If not, ask the
            person who sent it for a new one.
          </p>
          <ButtonLink fullWidth to={paths.login()}>
            Go to login
          </ButtonLink>
        </>
      )}
    </>
  );
}
