import { Button } from '../../../../ui/Button.tsx';
import { TextInput } from '../../../../ui/Field.tsx';
import { useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import type { Invoice } from '#contract/calls/billing.ts';
import { paymentReference } from '#contract/calls/payment-reports.ts';
import { formatDate } from '../../../../shared/format.ts';
import { today } from '../../../../shared/school-day.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { useSchemaForm } from '../../../../shared/use-schema-form.ts';
import { Form } from '../../../../ui/Form.tsx';
import { Notice } from '../../../../ui/Notice.tsx';
import { paymentReportsQuery, useReportPayment } from '../billing.api.ts';

const schema = z.object({ reference: paymentReference });

/** Reports to the operator that an invoice was paid, once a day, and shows the latest report. */
export function PaymentReportForm({ invoice }: { invoice: Invoice }) {
  const schoolId = useSchoolId();
  const latest = useQuery(paymentReportsQuery(schoolId)).data?.reports.find(
    ({ invoice_number }) => invoice_number === invoice.number,
  );
  const report = useReportPayment(schoolId);
  const form = useSchemaForm({ schema, initialValues: { reference: '' } });
  const submit = form.onSubmit(async ({ reference }) => {
    await report.mutateAsync({ invoice_number: invoice.number, reference });
  });
  const isReportedToday = latest !== undefined && today(Date.parse(latest.reported_at)) === today();

  return (
    <section aria-labelledby="already-paid">
      <h2 id="already-paid">We have already paid</h2>
      {latest && (
        <Notice kind="success" title={`You told us on ${formatDate(latest.reported_at)}`}>
          We’ll record the payment with the reference “{latest.reference}” as soon as it arrives, and then unlock your
          account.
        </Notice>
      )}
      {!isReportedToday && (
        <>
          <p>
            A bank transfer takes a day or two to reach us. Tell us the reference so that we can find the payment
            sooner. We’ll unlock your account once we have recorded it.
          </p>
          <Form form={form} onSubmit={submit}>
            <TextInput
              {...form.field('reference')}
              label="Payment reference"
              description="As it appears on your bank statement, with the date of the payment if you know it"
              autoComplete="off"
            />
            <Button type="submit" variant="default" loading={form.isSubmitting}>
              Tell us that you have paid
            </Button>
          </Form>
        </>
      )}
    </section>
  );
}
