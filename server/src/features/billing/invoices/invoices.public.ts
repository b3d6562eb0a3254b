export { contactRows, findBillingContact, saveContact } from './contacts.queries.ts';
export { acceptsCard, getInvoiceByToken, withInvoice } from './hosted-invoices.service.ts';
export { findOpenInvoice, type InvoiceRow, listInvoices } from './invoices.queries.ts';
export {
  changeContact,
  creditInvoice,
  isOverdue,
  issueInvoice,
  markInvoiceUncollectible,
  type PurchaseLine,
  recordInvoiceChange,
  settleInvoice,
  toInvoice,
  toInvoiceFields,
  toInvoices,
  writeInvoice,
} from './invoices.service.ts';
export { listReportedInvoices } from './payment-reports.queries.ts';
