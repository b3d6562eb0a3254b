import { paths } from '../../paths.ts';
import { can } from '../../shared/can.ts';
import { useUser } from '../../shared/session.ts';
import { ButtonLink } from '../../ui/ButtonLink.tsx';
import { FormActions } from '../../ui/Form.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { useSchool } from '../school/school.public.ts';

/** After a payment by card. */
export default function ThanksPage() {
  const user = useUser();
  const school = useSchool();
  return (
    <>
      <PageHeader title="Thanks" />
      <Notice kind="success">
        We have received your payment. It can take a minute until the invoice says that it is paid.
      </Notice>
      <FormActions>
        <ButtonLink to={paths.dashboard()}>Enter School Portal</ButtonLink>
        {can(user, 'manage_subscription', school) && (
          <ButtonLink to={paths.subscription()} variant="default">
            See the subscription
          </ButtonLink>
        )}
      </FormActions>
    </>
  );
}
