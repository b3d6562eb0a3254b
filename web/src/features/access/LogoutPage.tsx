import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { paths } from '../../paths.ts';
import { PageSkeleton } from '../../ui/PageSkeleton.tsx';
import { signOut } from './access.api.ts';

/** Ends the session and goes to the login page, whether or not the server could be told. */
export default function LogoutPage() {
  const navigate = useNavigate();
  useEffect(() => {
    void signOut();
    void navigate(paths.login(), { replace: true });
  }, [navigate]);
  return <PageSkeleton />;
}
