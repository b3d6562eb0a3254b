import type { School } from '#contract/calls/school.ts';
import { Notice } from '../../../../ui/Notice.tsx';
import { FormFoot } from '../../../../ui/Form.tsx';
import { LogOutLink } from '../../../../ui/LogOutForm.tsx';

/** Tells a teacher which admins can complete this step for the school. */
export function AdminsOnly({ school }: { school: School }) {
  const admins = school.users.filter(({ enterprise_user_role: role }) => role === 'admin');
  return (
    <>
      <Notice kind="warning" title="A school administrator must do this first">
        {school.name} will be ready to use once an administrator has confirmed its details and accepted the terms
        {admins.length > 0 && `: ${admins.map(({ first_name, last_name }) => `${first_name} ${last_name}`).join(', ')}`}
        .
      </Notice>
      <FormFoot>
        <LogOutLink />
      </FormFoot>
    </>
  );
}
