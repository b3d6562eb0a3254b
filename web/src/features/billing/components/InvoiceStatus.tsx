import type { Invoice } from '#contract/calls/billing.ts';
import css from './InvoiceStatus.module.css';

const WORDS: Record<Invoice['status'], string> = {
  open: 'unpaid',
  paid: 'paid',
  uncollectible: 'uncollectible',
  credited: 'credited',
};

/** The state of an invoice as a label. */
export const InvoiceStatus = ({ status }: { status: Invoice['status'] }) => (
  <span className={`${css.label} ${css[status]}`}>{WORDS[status]}</span>
);
