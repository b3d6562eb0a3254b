import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { paths } from '../../paths.ts';
import { PageSkeleton } from '../../ui/PageSkeleton.tsx';
import { signOut } from './access.api.ts';

/**
 * Ends the session, and goes to the login page when the server has been told, or could not be: whoever left sooner, for
 * another address or another person's login, would have the cookie still.
 */
export default function LogoutPage() {
  const navigate = useNavigate();
  useEffect(() => {
    void signOut().then(() => navigate(paths.login(), { replace: true }));
  }, [navigate]);
  return <PageSkeleton />;
}
