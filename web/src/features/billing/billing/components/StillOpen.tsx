import type { ReactNode } from 'react';
import { paths } from '../../../../paths.ts';
import { can, type Right } from '../../../../shared/can.ts';
import { useUser } from '../../../../shared/session.ts';
import { useIsSupplyTeacher } from '../../../../shared/use-is-supply-teacher.ts';
import { Link } from '../../../../ui/Link.tsx';
import { useSchool } from '../../../school/school/school.public.ts';

/** What staff of a closed school can still use, by their rights. */
export function StillOpen() {
  const user = useUser();
  const isSupply = useIsSupplyTeacher();
  const school = useSchool();
  const isAllowed = (right: Right) => can(user, right, school);
  const item = (to: string, name: string, use: ReactNode) => (
    <li>
      <Link to={to}>{name}</Link>: {use}
    </li>
  );
  return (
    <section aria-labelledby="still-open">
      <h2 id="still-open">What you can still do</h2>
      <ul>
        {isAllowed('manage_logins') &&
          item(
            paths.pupilLogins(),
            'Pupils’ logins',
            isAllowed('delete_pupil')
              ? 'reset pupils’ passwords and delete pupils'
              : 'reset the passwords of pupils in your classes',
          )}
        {isAllowed('delete_pupil') && item(paths.archive(), 'Archive', 'bring deleted pupils back, or erase them')}
        {isAllowed('delete_teacher') &&
          item(paths.teachers(), 'Teachers', 'remove or demote staff, and withdraw invitations')}
        {isAllowed('edit_school') &&
          item(paths.school(), 'School', 'download all your school’s data, and see who changed what')}
        {isAllowed('manage_requests') &&
          !isAllowed('edit_school') &&
          item(paths.dataAndPrivacy(), 'Data and privacy', 'see what we store, and answer requests')}
        {isAllowed('view_privacy') &&
          !isAllowed('edit_school') &&
          item(paths.changes(), 'Changes', 'see who changed what')}
        {isAllowed('manage_subscription') &&
          item(paths.subscription(), 'Subscription', 'see the subscription and its invoices')}
        {item(
          paths.overview(),
          'Help and support',
          <>
            read the help
            {!isSupply && (
              <>
                , or <Link to={paths.contact()}>write to us</Link>
              </>
            )}
          </>,
        )}
      </ul>
      <p>Pupils can still log in and read. Nothing is deleted, and their reading is recorded.</p>
    </section>
  );
}
