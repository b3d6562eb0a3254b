import { Button } from '../../../ui/Button.tsx';
import { useCallback, useEffect, useRef, useState } from 'react';
import { NavigationType, useLocation, useNavigate, useNavigationType } from '../../../shared/router.ts';
import { paths } from '../../../paths.ts';
import { isLogOutPending } from '../../../shared/log-out-cookie.ts';
import { logOut } from '../../../shared/log-out.ts';
import { PRODUCT_NAME } from '../../../shared/product.ts';
import { ButtonLink } from '../../../ui/ButtonLink.tsx';
import { FormActions } from '../../../ui/Form.tsx';
import { LogOutForm } from '../../../ui/LogOutForm.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { PageSkeleton } from '../../../ui/PageSkeleton.tsx';

/**
 * Logs out and goes to the login page, or says that the user is still logged in. Asks first when the browser opened the
 * address, because the server shows that page only where a link on another site may have led to it.
 */
export default function LogoutPage() {
  const navigate = useNavigate();
  const { search, key } = useLocation();
  const [isOpened] = useState(useNavigationType() === NavigationType.Pop);
  const [{ failures, isTrying }, setAttempts] = useState({ failures: 0, isTrying: !isOpened });

  const leave = useCallback(() => navigate({ pathname: paths.login(), search }, { replace: true }), [navigate, search]);
  const attempt = useCallback(async () => {
    setAttempts((before) => ({ ...before, isTrying: true }));
    const wasOffline = !navigator.onLine;
    // The device may come online while the attempt fails.
    if ((await logOut()) || (wasOffline && navigator.onLine && (await logOut()))) await leave();
    else setAttempts((before) => ({ failures: before.failures + 1, isTrying: false }));
  }, [leave]);
  // Another tab may have logged out meanwhile, and someone may have logged in since.
  const tryAgain = useCallback(() => void (isLogOutPending() ? attempt() : leave()), [attempt, leave]);

  // Once for each visit: the guard leads back here when another tab has begun to log out meanwhile.
  const begun = useRef('');
  useEffect(() => {
    if (begun.current === key || (isOpened && !isLogOutPending())) return;
    begun.current = key;
    void attempt();
  }, [isOpened, key, attempt]);
  const hasFailed = failures > 0 && !isTrying;
  useEffect(() => {
    if (!hasFailed) return undefined;
    window.addEventListener('online', tryAgain);
    return () => window.removeEventListener('online', tryAgain);
  }, [hasFailed, tryAgain]);

  if (failures === 0) return isTrying ? <PageSkeleton /> : <Question onConfirm={() => void attempt()} />;
  return (
    <>
      <PageHeader title="You are still logged in on this device" />
      {hasFailed && (
        <Notice key={failures} kind="error">
          The portal did not answer, so we could not log you out.
        </Notice>
      )}
      <p>
        We’ll try again as soon as this device is online. If you close this page, the next page of {PRODUCT_NAME} that
        is opened here logs you out first.
      </p>
      <LogOutForm onSubmit={tryAgain}>
        <Button type="submit" loading={isTrying}>
          Try again
        </Button>
      </LogOutForm>
    </>
  );
}

const Question = ({ onConfirm }: { onConfirm: () => void }) => (
  <>
    <PageHeader title="Log out" lead={`Do you want to log out of ${PRODUCT_NAME} on this device?`} />
    <FormActions>
      <LogOutForm onSubmit={onConfirm}>
        <Button type="submit">Log out</Button>
      </LogOutForm>
      <ButtonLink to={paths.dashboard()} variant="default">
        Go to main page
      </ButtonLink>
    </FormActions>
  </>
);
