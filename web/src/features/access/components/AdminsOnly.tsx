import type { School } from '#contract/calls/school.ts';
import { Notice } from '../../../ui/Notice.tsx';
import { FormFoot } from '../../../ui/Form.tsx';
import { LogOutLink } from './LogOutLink.tsx';

/** Tells a teacher who can do this step for the school. */
export function AdminsOnly({ school }: { school: School }) {
  const admins = school.users.filter(({ enterprise_user_role: role }) => role === 'admin');
  return (
    <>
      <Notice kind="warning" title="An administrator of your school has to do this first">
        {school.name} can be used once one of its administrators has confirmed its details and accepted the terms
        {admins.length > 0 && `: ${admins.map(({ first_name, last_name }) => `${first_name} ${last_name}`).join(', ')}`}
        .
      </Notice>
      <FormFoot>
        <LogOutLink />
      </FormFoot>
    </>
  );
}
