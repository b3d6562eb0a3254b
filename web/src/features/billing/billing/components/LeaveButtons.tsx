import { paths } from '../../../../paths.ts';
import { useUser } from '../../../../shared/session.ts';
import { isSupplyTeacher } from '../../../../shared/supply-teacher.ts';
import { ButtonLink } from '../../../../ui/ButtonLink.tsx';
import { LogOutButton } from '../../../../ui/LogOutForm.tsx';

/** The ways out of a page that takes the place of the portal. A supply teacher has no account. */
export const LeaveButtons = () => (
  <>
    {!isSupplyTeacher(useUser()) && (
      <ButtonLink to={paths.account()} variant="default">
        Your account
      </ButtonLink>
    )}
    <LogOutButton />
  </>
);
