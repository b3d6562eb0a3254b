import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { paths } from '../../paths.ts';
import { PageSkeleton } from '../../ui/PageSkeleton.tsx';
import { signOut } from './access.api.ts';

/**
 * Ends the session, and goes to the login page once the server has ended it or could not be reached. Leaving earlier
 * would leave the cookie in place.
 */
export default function LogoutPage() {
  const navigate = useNavigate();
  const { search } = useLocation();
  useEffect(() => {
    void signOut().then(() => navigate(paths.login() + search, { replace: true }));
  }, [navigate, search]);
  return <PageSkeleton />;
}
