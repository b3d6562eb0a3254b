export { toInvoice, toInvoicesMeta, toSubscription } from './billing.service.ts';
