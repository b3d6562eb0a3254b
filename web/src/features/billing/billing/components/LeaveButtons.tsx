import { paths } from '../../../../paths.ts';
import { useIsSupplyTeacher } from '../../../../shared/use-is-supply-teacher.ts';
import { ButtonLink } from '../../../../ui/ButtonLink.tsx';
import { LogOutButton } from '../../../../ui/LogOutForm.tsx';

/** The ways out of a page that takes the place of the portal. A supply teacher has no account. */
export const LeaveButtons = () => (
  <>
    {!useIsSupplyTeacher() && (
      <ButtonLink to={paths.account()} variant="default">
        Your account
      </ButtonLink>
    )}
    <LogOutButton />
  </>
);
