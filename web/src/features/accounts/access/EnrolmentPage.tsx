import { useEffect, useRef, useState } from 'react';
import { paths } from '../../../paths.ts';
import { useSearchParams } from '../../../shared/router.ts';
import { readEnrolment } from '../../../shared/second-step.ts';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { Enrolment } from '../second-factor/second-factor.public.ts';
import { wantedPage } from './model/wanted-page.ts';

/** Adds the first second factor of an account, in the middle of its login. The token is in the fragment of the URL. */
export default function EnrolmentPage() {
  const login = paths.login(wantedPage({ query: useSearchParams()[0] }));
  const [token, setToken] = useState<string | null>(null);
  const isRead = useRef(false);
  useEffect(() => {
    if (isRead.current) return;
    isRead.current = true;
    const read = readEnrolment(window.location.hash);
    if (read === null) return window.location.replace(login);
    setToken(read);
    // The token works for 15 minutes, and the browser remembers addresses for longer.
    window.history.replaceState(window.history.state, '', window.location.pathname + window.location.search);
  }, [login]);
  // The login leads on, now that the user is logged in.
  const leave = () => window.location.replace(login);
  return (
    <>
      <PageHeader title="One more step" />
      {token !== null && <Enrolment token={token} onLogIn={async () => leave()} onRestart={leave} />}
    </>
  );
}
