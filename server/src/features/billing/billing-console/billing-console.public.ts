export { isInvoiceCommand, runInvoiceCommand } from './invoice-commands.service.ts';
