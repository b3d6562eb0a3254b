import type { Invoice } from '#contract/calls/billing.ts';
import { Chip } from '../../../../ui/Chip.tsx';

const STATUSES = {
  open: { text: 'unpaid', tone: 'attention' },
  paid: { text: 'paid', tone: 'success' },
  uncollectible: { text: 'uncollectible', tone: 'danger' },
  credited: { text: 'credited', tone: 'neutral' },
} as const satisfies Record<Invoice['status'], object>;

/** The status of an invoice as a label. */
export function InvoiceStatus({ status }: { status: Invoice['status'] }) {
  const { text, tone } = STATUSES[status];
  return <Chip tone={tone}>{text}</Chip>;
}
