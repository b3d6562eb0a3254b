import type { Invoice } from '#contract/calls/billing.ts';
import { ButtonAnchor } from '../../../../ui/Button.tsx';
import { Navigate, useSearchParams } from '../../../../shared/router.ts';
import { paths } from '../../../../paths.ts';
import { can } from '../../../../shared/can.ts';
import { formatDate, formatExactMoney } from '../../../../shared/format.ts';
import { useSchoolId, useUser } from '../../../../shared/session.ts';
import { usePrefetchedQuery } from '../../../../shared/use-prefetched-query.ts';
import { ButtonLink } from '../../../../ui/ButtonLink.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { FormActions } from '../../../../ui/Form.tsx';
import { Notice } from '../../../../ui/Notice.tsx';
import { PageHeader } from '../../../../ui/PageHeader.tsx';
import { PageSkeleton } from '../../../../ui/PageSkeleton.tsx';
import { schoolQuery, useSchool } from '../../../school/school/school.public.ts';
import { SpeakToAdmin } from '../../../school/succession/succession.public.ts';
import { BillingContact } from './BillingContact.tsx';
import { ContactWays } from './ContactWays.tsx';
import { LeaveButtons } from './LeaveButtons.tsx';
import css from '../SubscriptionPage.module.css';
import { PaymentReportForm } from './PaymentReportForm.tsx';
import { StillOpen } from './StillOpen.tsx';

/** The school's unpaid invoice: how to pay it, how to report a payment, and what stays open. */
export function OverdueNotice() {
  const user = useUser();
  const { data, error, refetch, isFetching } = usePrefetchedQuery(schoolQuery(useSchoolId()));
  if (!data) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  const school = data.enterprise;
  if (!can(user, 'manage_subscription', school))
    return school.access === 'locked' ? <LockedForTeacher /> : <Navigate to={paths.dashboard()} replace />;
  const { invoices } = school;
  const invoice = invoices?.meta.outstanding_invoice ?? invoices?.meta.open_invoice;
  // The cache may hold the school from before a purchase.
  if (!invoice && isFetching) return <PageSkeleton rows={4} />;
  if (!invoices || !invoice) return <Navigate to={paths.dashboard()} replace />;
  const isLocked = invoices.meta.has_outstanding_invoice;
  return (
    <div data-wide="text">
      <PageHeader title="Payment required" />
      <Notice kind="warning" title={`Invoice ${invoice.number} for ${formatExactMoney(invoice.total)}`}>
        {isLocked
          ? `This outstanding invoice was unpaid past its due date, ${formatDate(invoice.due_date)}, so the account is locked. We’ll unlock it as soon as your payment arrives.`
          : `It is due by ${formatDate(invoice.due_date)}. From ${formatDate(invoice.locks_on)} the account is locked until it is paid.`}
      </Notice>
      <FormActions>
        <InvoiceLinks invoice={invoice} />
        <EnterPortal />
        <LeaveButtons />
      </FormActions>
      <div className={css.parts}>
        <PaymentReportForm invoice={invoice} />
        <BillingContact school={school} />
        <ContactWays id="reach-us" />
        {isLocked && <StillOpen />}
      </div>
    </div>
  );
}

/** Links to pay and to download an invoice. */
export function InvoiceLinks({ invoice }: { invoice: Invoice }) {
  return (
    <>
      {invoice.status === 'open' && (
        <ButtonAnchor href={new URL(invoice.hosted_invoice_url).pathname}>Pay Now</ButtonAnchor>
      )}
      <ButtonAnchor variant="default" href={new URL(invoice.invoice_pdf).pathname}>
        Download Invoice
      </ButtonAnchor>
    </>
  );
}

/** The link into the portal, unless the URL hides it. */
export function EnterPortal() {
  const [query] = useSearchParams();
  const school = useSchool();
  if (query.get('show_sp_link') === 'false' || school?.access !== 'open') return null;
  return (
    <ButtonLink to={paths.dashboard()} variant="default">
      Enter School Portal
    </ButtonLink>
  );
}

const LockedForTeacher = () => (
  <div data-wide="text">
    <PageHeader title="Payment required" />
    <Notice kind="warning">
      One of your school’s invoices is unpaid past its due date, so the account is locked.{' '}
      <SpeakToAdmin what="To unlock it" />
    </Notice>
    <FormActions>
      <LeaveButtons />
    </FormActions>
    <div className={css.parts}>
      <StillOpen />
    </div>
  </div>
);
