import { useState } from 'react';
import { AWAY_AFTER_DAYS } from '#contract/calls/admin-requests.ts';
import type { School } from '#contract/calls/school.ts';
import { paths } from '../../../../paths.ts';
import { fullName } from '../../../../shared/format.ts';
import { getPreference, setPreference } from '../../../../shared/preferences.ts';
import { today } from '../../../../shared/school-day.ts';
import { useUser } from '../../../../shared/session.ts';
import { Button } from '../../../../ui/Button.tsx';
import { ButtonLink } from '../../../../ui/ButtonLink.tsx';
import { Notice } from '../../../../ui/Notice.tsx';
import { adminsOf, haveTheyLeft } from '../model/admins.ts';
import { nextSeptember } from '../model/next-september.ts';

/** Asks the only admin of a school for a second one, until next September, and tells the staff when the admin is away. */
export function SecondAdminNotice({ school }: { school: School }) {
  const user = useUser();
  const [hiddenUntil, setHiddenUntil] = useState(() => getPreference('secondAdmin'));
  const [admin] = adminsOf(school);
  if (!school.second_admin || !admin || school.access !== 'open' || school.admin_request || user.impersonated_by)
    return null;
  if (admin.id !== user.id)
    return school.second_admin === 'away' ? (
      <Notice
        kind="warning"
        title={`Only ${fullName(admin)} manages your school, and has not logged in for ${AWAY_AFTER_DAYS} days`}
        action={
          <ButtonLink variant="default" to={paths.appointAdmin()}>
            {haveTheyLeft([admin])} Tell us
          </ButtonLink>
        }
      />
    ) : null;
  if (typeof hiddenUntil === 'string' && today() < hiddenUntil) return null;
  const hide = () => {
    const until = nextSeptember(today());
    setPreference('secondAdmin', until);
    setHiddenUntil(until);
  };
  return (
    <Notice
      title="You are the only admin of your school"
      action={
        <>
          <ButtonLink variant="default" to={paths.teachers()}>
            Go to teachers
          </ButtonLink>
          <Button variant="subtle" onClick={hide}>
            Not now
          </Button>
        </>
      }
    >
      Make a colleague an admin too, so that your school is not stuck while you are away or once you have left.
    </Notice>
  );
}
