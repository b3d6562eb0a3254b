import { Navigate, useParams } from 'react-router';
import { paths } from '../../paths.ts';
import { can } from '../../shared/can.ts';
import { formatDate, formatExactMoney } from '../../shared/format.ts';
import { useSchoolId, useUser } from '../../shared/session.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { FormActions } from '../../ui/Form.tsx';
import { EmailText } from '../../ui/EmailText.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { PageSkeleton } from '../../ui/PageSkeleton.tsx';
import { useSchool } from '../school/school.public.ts';
import { useCurrentInvoice } from './billing.api.ts';
import { InvoiceLinks } from './components/InvoiceLinks.tsx';
import { EnterPortal, OverdueNotice } from './components/OverdueNotice.tsx';

/** What follows a purchase: where the invoice is. Without the address that it went to: that it is overdue. */
export default function FeedbackPage() {
  const { contact_email: email } = useParams();
  return email ? <Generated email={email} /> : <OverdueNotice />;
}

function Generated({ email }: { email: string }) {
  const school = useSchool();
  const isManager = can(useUser(), 'manage_subscription', school);
  const { invoice, invoices, error, refetch, isFetching } = useCurrentInvoice(useSchoolId(), isManager);
  if (!isManager) return <OverdueNotice />;
  if (error && !invoices) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  // What is known may be from before the purchase.
  if (!invoices || (!invoice && isFetching)) return <PageSkeleton rows={4} />;
  if (!invoice) return <Navigate to={paths.dashboard()} replace />;
  const isOpen = invoice.status === 'open';
  return (
    <>
      <PageHeader title="Thank you" />
      <Notice kind="success" title={`Invoice ${invoice.number} has been generated`}>
        {isOpen
          ? `It is over ${formatExactMoney(invoice.total)}, due by ${formatDate(invoice.due_date)}.`
          : 'There is nothing to pay.'}{' '}
        We send it to <EmailText email={email} />.{isOpen && ' You can begin now.'}
      </Notice>
      <FormActions>
        <InvoiceLinks invoice={invoice} />
        <EnterPortal />
      </FormActions>
    </>
  );
}
