import { Navigate } from '../../../shared/router.ts';
import { paths } from '../../../paths.ts';
import { can } from '../../../shared/can.ts';
import { useSchoolId, useUser } from '../../../shared/session.ts';
import { usePrefetchedQuery } from '../../../shared/use-prefetched-query.ts';
import { ButtonLink } from '../../../ui/ButtonLink.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { FormActions } from '../../../ui/Form.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { schoolQuery } from '../../school/school/school.public.ts';
import { EnterPortal } from './components/OverdueNotice.tsx';

/** After a card payment: whether it has arrived, for managers of the subscription. */
export default function ThanksPage() {
  const user = useUser();
  const { data, error, refetch } = usePrefetchedQuery(schoolQuery(useSchoolId()));
  if (!data) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  const school = data.enterprise;
  const canManage = can(user, 'manage_subscription', school);
  const open = school.invoices?.meta.open_invoice;
  const latest = open ?? school.invoices?.data[0];
  if (canManage && school.invoices && !latest) return <Navigate to={paths.dashboard()} replace />;
  return (
    <>
      <PageHeader title="Thanks" />
      {canManage && latest?.status === 'paid' && (
        <Notice kind="success">Invoice {latest.number} is paid. You do not need to do anything.</Notice>
      )}
      {canManage && latest && latest.status !== 'paid' && latest.status !== 'open' && (
        <Notice>There is no invoice to pay.</Notice>
      )}
      {canManage && open && (
        <Notice>
          If you have just paid invoice {open.number} by card, it can take a minute until it shows as paid.
        </Notice>
      )}
      {!canManage && (
        <Notice>
          If you have just paid an invoice, your school administrator can see when the payment has arrived.
        </Notice>
      )}
      <FormActions>
        <EnterPortal />
        {canManage && (
          <ButtonLink to={paths.subscription()} variant="default">
            View the subscription
          </ButtonLink>
        )}
      </FormActions>
    </>
  );
}
