import type { BodyInputOf } from '#contract/call.ts';
import { billingConsoleCalls, type INVOICE_FILTERS, type SchoolBillingState } from '#contract/calls/billing-console.ts';
import { paymentReportCalls } from '#contract/calls/payment-reports.ts';
import { unmatchedPaymentCalls } from '#contract/calls/unmatched-payments.ts';
import { call } from '../../../shared/api-client.ts';
import { apiQuery } from '../../../shared/api-query.ts';
import { useInvalidatingMutation } from '../../../shared/use-invalidating-mutation.ts';
import type { TableState } from '../../../ui/table-url-state.ts';

type Body<Name extends keyof typeof billingConsoleCalls> = BodyInputOf<(typeof billingConsoleCalls)[Name]>;
export type InvoiceFilter = (typeof INVOICE_FILTERS)[number];

export const billedInvoicesQuery = (status: InvoiceFilter, { page, perPage }: TableState) =>
  apiQuery(billingConsoleCalls.listBilledInvoices, { query: { status, page, per_page: perPage } });

export const schoolStatesQuery = (state: SchoolBillingState, { page, perPage }: TableState) =>
  apiQuery(billingConsoleCalls.listSchoolStates, { query: { state, page, per_page: perPage } });

/** Open invoices that schools reported as paid. */
export const reportedPaymentsQuery = () => apiQuery(paymentReportCalls.listReportedPayments, {});

/** Card payments that settled no invoice. */
export const unmatchedPaymentsQuery = () => apiQuery(unmatchedPaymentCalls.listUnmatchedPayments, {});

export const useReconcilePayment = () =>
  useInvalidatingMutation(
    (sessionId: string) => call(unmatchedPaymentCalls.reconcilePayment, { params: { sessionId } }),
    { awaits: [unmatchedPaymentCalls.listUnmatchedPayments], renews: [] },
  );

export const soldPackagesQuery = () => apiQuery(billingConsoleCalls.listSoldPackages, {});
export const revenueQuery = () => apiQuery(billingConsoleCalls.listRevenue, {});

/** An action on an invoice and its body. */
export type InvoiceAction =
  | { kind: 'paid'; body: Body<'markInvoicePaid'> }
  | { kind: 'uncollectible'; body: Body<'markInvoiceUncollectible'> }
  | { kind: 'credit'; body: Body<'creditInvoice'> };

export const useSettleInvoice = (invoiceNumber: string) =>
  useInvalidatingMutation<InvoiceAction, unknown>(
    ({ kind, body }) => {
      const params = { invoiceNumber };
      if (kind === 'paid') return call(billingConsoleCalls.markInvoicePaid, { params, body });
      if (kind === 'uncollectible') return call(billingConsoleCalls.markInvoiceUncollectible, { params, body });
      return call(billingConsoleCalls.creditInvoice, { params, body });
    },
    { awaits: [billingConsoleCalls.listBilledInvoices] },
  );

/** Changes a package, or adds one without an id. */
export const useSavePackage = () =>
  useInvalidatingMutation(
    ({ id, body }: { id: number | undefined; body: Body<'createPackage'> }) =>
      id === undefined
        ? call(billingConsoleCalls.createPackage, { body })
        : call(billingConsoleCalls.updatePackage, { params: { packageId: id }, body }),
    { awaits: [billingConsoleCalls.listSoldPackages] },
  );

export const useGrantCustomPackage = (schoolId: number) =>
  useInvalidatingMutation((body: Body<'grantCustomPackage'>) =>
    call(billingConsoleCalls.grantCustomPackage, { params: { schoolId }, body }),
  );
