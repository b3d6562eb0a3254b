import { Navigate, useParams } from '../../../shared/router.ts';
import type { School } from '#contract/calls/school.ts';
import { plusDays } from '#contract/school-calendar.ts';
import { paths } from '../../../paths.ts';
import { can } from '../../../shared/can.ts';
import { formatDate, formatExactMoney } from '../../../shared/format.ts';
import { today } from '../../../shared/school-day.ts';
import { useSchoolId, useUser } from '../../../shared/session.ts';
import { usePrefetchedQuery } from '../../../shared/use-prefetched-query.ts';
import { EmailText } from '../../../ui/EmailText.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { FormActions } from '../../../ui/Form.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { PageSkeleton } from '../../../ui/PageSkeleton.tsx';
import { schoolQuery } from '../../school/school/school.public.ts';
import { SpeakToAdmin } from '../../school/succession/succession.public.ts';
import { useCurrentInvoice } from './billing.api.ts';
import { EnterPortal, InvoiceLinks, OverdueNotice } from './components/OverdueNotice.tsx';
import { billingContactOf } from './model/billing-contact.ts';

/** After a purchase: the new invoice. Without an email address in the URL, or past its due date: the unpaid invoice. */
export default function FeedbackPage() {
  const { contact_email: email } = useParams();
  const user = useUser();
  const { data, error, refetch } = usePrefetchedQuery(schoolQuery(useSchoolId()));
  if (!data) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  const school = data.enterprise;
  const canManage = can(user, 'manage_subscription', school);
  if (!canManage && school.access !== 'locked') return <AskAdministrator />;
  const isOverdue = school.invoices?.meta.has_outstanding_invoice === true;
  return email && canManage && !isOverdue ? <Generated school={school} /> : <OverdueNotice />;
}

function Generated({ school }: { school: School }) {
  const { invoice, invoices, error, refetch, isFetching } = useCurrentInvoice(useSchoolId(), true);
  if (error && !invoices) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  // The cache may hold the school from before the purchase.
  if (!invoices || (!invoice && isFetching)) return <PageSkeleton rows={4} />;
  const isOpen = invoice?.status === 'open';
  const isRecent = invoice !== undefined && today(Date.parse(invoice.issued_at)) >= plusDays(today(), -1);
  if (!invoice || !(isOpen || isRecent)) return <Navigate to={paths.dashboard()} replace />;
  // The URL may contain any address, so the page shows that of the billing contact.
  const email = billingContactOf(school)?.email;
  return (
    <>
      <PageHeader title="Thank you" />
      <Notice kind="success" title={`Invoice ${invoice.number} has been generated`}>
        {isOpen
          ? `It is for ${formatExactMoney(invoice.total)}, due by ${formatDate(invoice.due_date)}.`
          : 'You do not need to pay anything.'}{' '}
        {email && (
          <>
            We send invoices to <EmailText email={email} />.
          </>
        )}
        {isOpen && school.access === 'open' && ' You can start now.'}
      </Notice>
      <FormActions>
        <InvoiceLinks invoice={invoice} />
        <EnterPortal />
      </FormActions>
    </>
  );
}

const AskAdministrator = () => (
  <>
    <PageHeader title="Invoices" />
    <Notice>
      <SpeakToAdmin what="To see or pay your school’s invoices" />
    </Notice>
    <FormActions>
      <EnterPortal />
    </FormActions>
  </>
);
