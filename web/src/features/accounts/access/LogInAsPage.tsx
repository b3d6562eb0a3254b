import { useEffect } from 'react';
import { useNavigate, useParams } from '../../../shared/router.ts';
import { paths } from '../../../paths.ts';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { PageSkeleton } from '../../../ui/PageSkeleton.tsx';
import { isFromAdminPanel } from './model/admin-referrer.ts';
import { openAsAnother } from './passwords.api.ts';

/** Logs an operator in as another user, with a code from the admin panel. Codes from anywhere else are ignored. */
export default function LogInAsPage() {
  const { token = '' } = useParams();
  const navigate = useNavigate();
  useEffect(() => {
    const leave = () => navigate(paths.logout(), { replace: true });
    if (!isFromAdminPanel(document.referrer, window.location.href)) void leave();
    else openAsAnother(token).then(() => navigate(paths.dashboard(), { replace: true }), leave);
  }, [token, navigate]);
  return (
    <>
      <PageHeader title="Logging in" />
      <PageSkeleton />
    </>
  );
}
