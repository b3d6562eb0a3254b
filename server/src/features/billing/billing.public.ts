export { capacityOf, toSubscription } from './billing.service.ts';
export { contactRows, findBillingContact, saveContact } from './contacts.queries.ts';
export { isInvoiceCommand, runInvoiceCommand } from './invoice-commands.service.ts';
export { findOpenInvoice, listInvoices } from './invoices.queries.ts';
export { isOverdue, settleInvoice, toInvoices, writeInvoice } from './invoices.service.ts';
export { findSubscription, insertSubscription } from './subscriptions.queries.ts';
