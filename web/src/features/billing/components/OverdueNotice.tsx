import { Navigate, useSearchParams } from 'react-router';
import { paths } from '../../../paths.ts';
import { can } from '../../../shared/can.ts';
import { formatDate, formatExactMoney } from '../../../shared/format.ts';
import { useSchoolId, useUser } from '../../../shared/session.ts';
import { ButtonLink } from '../../../ui/ButtonLink.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { FormActions } from '../../../ui/Form.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { PageSkeleton } from '../../../ui/PageSkeleton.tsx';
import { useSchool } from '../../school/school.public.ts';
import { useCurrentInvoice } from '../billing.api.ts';
import { ContactWays } from './ContactWays.tsx';
import { InvoiceLinks } from './InvoiceLinks.tsx';
import css from './OverdueNotice.module.css';
import { PaymentReportForm } from './PaymentReportForm.tsx';
import { StillOpen } from './StillOpen.tsx';

/** The unpaid invoice of the school: how to pay it, what to do when it is paid, and what stays open meanwhile. */
export function OverdueNotice() {
  const school = useSchool();
  const isManager = can(useUser(), 'manage_subscription', school);
  const { invoices, error, refetch, isFetching } = useCurrentInvoice(useSchoolId(), isManager && school !== undefined);
  if (!school) return <PageSkeleton rows={4} />;
  if (!isManager)
    return school.access === 'locked' ? <LockedForTeacher /> : <Navigate to={paths.dashboard()} replace />;
  if (error && !invoices) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (!invoices) return <PageSkeleton rows={4} />;
  const invoice = invoices.meta.outstanding_invoice ?? invoices.meta.open_invoice;
  if (!invoice && isFetching) return <PageSkeleton rows={4} />;
  if (!invoice) return <Navigate to={paths.dashboard()} replace />;
  const isLocked = invoices.meta.has_outstanding_invoice;
  return (
    <div data-wide="text">
      <PageHeader title="Payment required" />
      <Notice kind="warning" title={`Invoice ${invoice.number} for ${formatExactMoney(invoice.total)}`}>
        {isLocked
          ? `This outstanding invoice was unpaid past its due date, ${formatDate(invoice.due_date)}, so the account is locked. It opens again as soon as the payment has arrived.`
          : `It is due by ${formatDate(invoice.due_date)}.`}
      </Notice>
      <FormActions>
        <InvoiceLinks invoice={invoice} />
        <EnterPortal />
        <Leave />
      </FormActions>
      <div className={css.parts}>
        <PaymentReportForm invoice={invoice} />
        <ContactWays id="reach-us" />
        {isLocked && <StillOpen isManager />}
      </div>
    </div>
  );
}

/** The way into the portal, unless the address says that there is none. */
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

const Leave = () => (
  <>
    <ButtonLink to={paths.account()} variant="default">
      Your account
    </ButtonLink>
    <ButtonLink to={paths.logout()} variant="default">
      Log out
    </ButtonLink>
  </>
);

const LockedForTeacher = () => (
  <div data-wide="text">
    <PageHeader title="Payment required" />
    <Notice kind="warning">
      An invoice of your school is unpaid past its due date, so the account is locked. To have it opened again, please
      speak to your school administrator.
    </Notice>
    <FormActions>
      <Leave />
    </FormActions>
    <div className={css.parts}>
      <StillOpen isManager={false} />
    </div>
  </div>
);
