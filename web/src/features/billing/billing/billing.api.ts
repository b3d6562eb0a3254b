import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { BodyInputOf } from '#contract/call.ts';
import { billingCalls } from '#contract/calls/billing.ts';
import { contactCalls } from '#contract/calls/contact-us.ts';
import { paymentReportCalls } from '#contract/calls/payment-reports.ts';
import { type School, schoolCalls } from '#contract/calls/school.ts';
import { schoolDetailsCalls } from '#contract/calls/school-details.ts';
import { call } from '../../../shared/api-client.ts';
import { apiQuery } from '../../../shared/api-query.ts';
import { can } from '../../../shared/can.ts';
import type { FirstQueries } from '../../../shared/first-queries.ts';
import { mailDeliveriesQueries } from '../../../shared/mail-deliveries.ts';
import { parseId } from '../../../shared/parse-id.ts';
import { useInvalidatingMutation } from '../../../shared/use-invalidating-mutation.ts';
import { schoolQueries, schoolQuery } from '../../school/school/school.public.ts';

/** The packages on offer, and what each would cost the school today. */
export const packagesQuery = (id: number) => apiQuery(billingCalls.listPackages, { params: { id } });

/** One package. With a country, its VAT is that of a billing contact there. */
export const packageQuery = (id: number, packageId: number, country_code?: string) =>
  apiQuery(billingCalls.getPackage, { params: { id, packageId }, query: country_code ? { country_code } : {} });

export const billingContactQuery = (id: number) => apiQuery(schoolDetailsCalls.getBillingContact, { params: { id } });

export const subscriptionPageQueries: FirstQueries = (visit) =>
  can(visit.user, 'manage_subscription') ? [packagesQuery(visit.schoolId), ...mailDeliveriesQueries(visit)] : [];

/** The school's payment reports, for managers of the subscription. */
export const paymentReportsQuery = (id: number) => apiQuery(paymentReportCalls.listPaymentReports, { params: { id } });

export const useReportPayment = (id: number) =>
  useInvalidatingMutation((body: BodyInputOf<typeof paymentReportCalls.reportPayment>) =>
    call(paymentReportCalls.reportPayment, { params: { id }, body }),
  );

export const paymentRequiredQueries: FirstQueries = (visit) => [
  ...schoolQueries(visit),
  ...(can(visit.user, 'manage_subscription') ? [paymentReportsQuery(visit.schoolId)] : []),
];

export const selectSubscriptionQueries: FirstQueries = (visit) => [
  ...schoolQueries(visit),
  ...subscriptionPageQueries(visit),
];

export const billingDetailsQueries: FirstQueries = ({ schoolId, query }) => {
  const packageId = parseId(query.get('package'));
  return packageId === undefined ? [] : [packageQuery(schoolId, packageId), billingContactQuery(schoolId)];
};

/** The invoice for the screens after a purchase: the open one or, without one, the latest. */
export function useCurrentInvoice(schoolId: number, canManage: boolean) {
  const result = useQuery({ ...schoolQuery(schoolId), enabled: canManage });
  const invoices = result.data?.enterprise.invoices;
  return { ...result, invoice: invoices?.meta.open_invoice ?? invoices?.data[0], invoices };
}

/** Awaits the school, because the guard opens the dashboard once it knows about the trial. */
export const useStartTrial = (id: number) =>
  useInvalidatingMutation(
    (package_id: number) => call(billingCalls.startTrial, { params: { id }, body: { package_id } }),
    { awaits: [schoolCalls.getSchool] },
  );

/**
 * Purchases a package, once for each key. Data is marked stale but only the next screen refetches it: on this one, the
 * package that was just purchased would be rejected.
 */
export function useSubscribe(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({
      body,
      idempotencyKey,
    }: {
      body: BodyInputOf<typeof billingCalls.subscribe>;
      idempotencyKey: string;
    }) => call(billingCalls.subscribe, { params: { id }, body, idempotencyKey }),
    onSettled: () => {
      // The next screen must show the new invoice, not a cached one.
      client.setQueryData(
        schoolQuery(id).queryKey,
        (known) => known && { ...known, enterprise: withoutInvoices(known.enterprise) },
      );
      return client.invalidateQueries({ refetchType: 'none' });
    },
  });
}

const withoutInvoices = ({ invoices: _, ...school }: School): School => school;

/** Requests contact about a new or a renewed subscription. */
export const requestContact = (
  action: 'start' | 'renew',
  body: BodyInputOf<typeof contactCalls.requestContact>,
  idempotencyKey: string,
) => call(contactCalls.requestContact, { params: { action }, body, idempotencyKey });
