import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { paths } from '../../paths.ts';
import { PageSkeleton } from '../../ui/PageSkeleton.tsx';
import { signOut } from './access.api.ts';

/**
 * Ends the session, and goes to the login page once the server has ended it or could not be reached. Leaving earlier
 * would leave the cookie in place.
 */
export default function LogoutPage() {
  const navigate = useNavigate();
  useEffect(() => {
    void signOut().then(() => navigate(paths.login(), { replace: true }));
  }, [navigate]);
  return <PageSkeleton />;
}
