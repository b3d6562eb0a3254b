import type { Invoice } from '#contract/calls/billing.ts';
import { Button } from '@mantine/core';

/** Links to pay and to download an invoice. */
export function InvoiceLinks({ invoice }: { invoice: Invoice }) {
  return (
    <>
      {invoice.status === 'open' && (
        <Button component="a" href={new URL(invoice.hosted_invoice_url).pathname}>
          Pay Now
        </Button>
      )}
      <Button component="a" variant="default" href={new URL(invoice.invoice_pdf).pathname}>
        Download Invoice
      </Button>
    </>
  );
}
