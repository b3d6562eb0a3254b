import { Navigate } from 'react-router';
import { paths } from '../../paths.ts';
import { can } from '../../shared/can.ts';
import { useUser } from '../../shared/session.ts';
import { ButtonLink } from '../../ui/ButtonLink.tsx';
import { FormActions } from '../../ui/Form.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { PageSkeleton } from '../../ui/PageSkeleton.tsx';
import { useSchool } from '../school/school.public.ts';
import { EnterPortal } from './components/OverdueNotice.tsx';

/** After a payment by card: whether the payment has arrived, as far as the person may see it. */
export default function ThanksPage() {
  const user = useUser();
  const school = useSchool();
  if (!school) return <PageSkeleton rows={4} />;
  const isManager = can(user, 'manage_subscription', school);
  const open = school.invoices?.meta.open_invoice;
  const latest = open ?? school.invoices?.data[0];
  if (isManager && school.invoices && !latest) return <Navigate to={paths.dashboard()} replace />;
  return (
    <>
      <PageHeader title="Thanks" />
      {isManager && latest?.status === 'paid' && (
        <Notice kind="success">Invoice {latest.number} is paid. There is nothing to do.</Notice>
      )}
      {isManager && latest && latest.status !== 'paid' && latest.status !== 'open' && (
        <Notice>There is no invoice to pay.</Notice>
      )}
      {isManager && open && (
        <Notice>
          If you have just paid invoice {open.number} by card, it can take a minute until it shows as paid. Until then
          it is unpaid.
        </Notice>
      )}
      {!isManager && (
        <Notice>
          If you have just paid an invoice, your school administrator can see when the payment has arrived.
        </Notice>
      )}
      <FormActions>
        <EnterPortal />
        {isManager && (
          <ButtonLink to={paths.subscription()} variant="default">
            See the subscription
          </ButtonLink>
        )}
      </FormActions>
    </>
  );
}
