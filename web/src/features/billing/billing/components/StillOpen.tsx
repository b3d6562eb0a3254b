import { Link } from '../../../../ui/Link.tsx';
import { paths } from '../../../../paths.ts';

/** What staff of a closed school can still use. */
export function StillOpen({ canManage }: { canManage: boolean }) {
  return (
    <section aria-labelledby="still-open">
      <h2 id="still-open">What you can still do</h2>
      <ul>
        <li>
          <Link to={paths.pupilLogins()}>Pupils’ logins</Link>:{' '}
          {canManage ? 'reset pupils’ passwords and delete pupils' : 'reset the passwords of pupils in your classes'}
        </li>
        {canManage && (
          <>
            <li>
              <Link to={paths.archive()}>Archive</Link>: bring deleted pupils back, or erase them
            </li>
            <li>
              <Link to={paths.teachers()}>Teachers</Link>: remove or demote staff, and withdraw invitations
            </li>
            <li>
              <Link to={paths.school()}>School</Link>: download all your school’s data, and see who changed what
            </li>
            <li>
              <Link to={paths.subscription()}>Subscription</Link>: see the subscription and its invoices
            </li>
          </>
        )}
        <li>
          <Link to={paths.overview()}>Help and support</Link>: read the help, or{' '}
          <Link to={paths.contact()}>write to us</Link>
        </li>
      </ul>
      <p>Pupils can still log in and read. Nothing is deleted, and their reading is recorded.</p>
    </section>
  );
}
