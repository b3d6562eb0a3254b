import { Button } from '@mantine/core';
import { useCallback, useEffect, useRef, useState } from 'react';
import { NavigationType, useLocation, useNavigate, useNavigationType } from 'react-router';
import { paths } from '../../paths.ts';
import { isLogOutPending, logOut } from '../../shared/log-out.ts';
import { PRODUCT_NAME } from '../../shared/product.ts';
import { ButtonLink } from '../../ui/ButtonLink.tsx';
import { FormActions } from '../../ui/Form.tsx';
import { LogOutForm } from '../../ui/LogOutForm.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { PageSkeleton } from '../../ui/PageSkeleton.tsx';

/** How many attempts have begun, and whether the last one has failed. */
interface Attempts {
  count: number;
  hasFailed: boolean;
}

/**
 * Logs out and goes to the login page, or says that the user is still logged in. Asks first when the browser opened the
 * address, because the server shows that page only where a link on another site may have led to it.
 */
export default function LogoutPage() {
  const navigate = useNavigate();
  const { search } = useLocation();
  const [isOpened] = useState(useNavigationType() === NavigationType.Pop);
  const [{ count, hasFailed }, setAttempts] = useState<Attempts>({ count: 0, hasFailed: false });

  const leave = useCallback(() => navigate({ pathname: paths.login(), search }, { replace: true }), [navigate, search]);
  const attempt = useCallback(async () => {
    setAttempts((before) => ({ count: before.count + 1, hasFailed: false }));
    if (await logOut()) await leave();
    else setAttempts((before) => ({ ...before, hasFailed: true }));
  }, [leave]);
  // Another tab may have logged out meanwhile, and someone may have logged in since.
  const tryAgain = useCallback(() => void (isLogOutPending() ? attempt() : leave()), [attempt, leave]);

  const hasBegun = useRef(false);
  useEffect(() => {
    if (hasBegun.current || (isOpened && !isLogOutPending())) return;
    hasBegun.current = true;
    void attempt();
  }, [isOpened, attempt]);
  useEffect(() => {
    if (!hasFailed) return undefined;
    window.addEventListener('online', tryAgain);
    return () => window.removeEventListener('online', tryAgain);
  }, [hasFailed, tryAgain]);

  if (count === 0 && isOpened) return <Question onConfirm={() => void attempt()} />;
  if (count <= 1 && !hasFailed) return <PageSkeleton />;
  return (
    <>
      <PageHeader title="You are still logged in on this device" />
      {hasFailed && (
        <Notice key={count} kind="error">
          The portal did not answer, so we could not log you out.
        </Notice>
      )}
      <p>
        We’ll try again as soon as this device is online. If you close this page, the next page of {PRODUCT_NAME} that
        is opened here logs you out first.
      </p>
      <LogOutForm onSubmit={tryAgain}>
        <Button type="submit" loading={!hasFailed}>
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
