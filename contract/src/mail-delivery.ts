import { z } from 'zod';
import { timestamp } from './fields.ts';

/**
 * What became of a mail: `queued` also while the mail server has to be tried again; `rejected` by the mail server;
 * `bounced`: accepted, and returned later; `opened`: someone opened its link.
 */
export const DELIVERY_STATES = ['queued', 'sent', 'rejected', 'bounced', 'opened'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** The longest words of a mail server that are stored, in characters. */
export const MAX_MAIL_FAULT = 300;

/** Mails to an address that bounced so often are not sent until the address is changed. */
export const MAX_BOUNCES = 2;

const deliveryFields = {
  state: z.enum(DELIVERY_STATES),
  /** Since when. */
  at: timestamp,
  /** The words of the mail server about a mail that did not arrive or is being tried again; null for every other one. */
  reason: z.string().nullable(),
};

/** What became of the latest mail about something. */
export const mailDelivery = z.strictObject(deliveryFields).meta({ id: 'MailDelivery' });
export type MailDelivery = z.infer<typeof mailDelivery>;

/** The latest mail to an address of the school or the user, or about an invoice. */
export const listedDelivery = z
  .strictObject({
    about: z.enum(['account', 'primary_contact', 'billing_contact', 'invoice']),
    /** Of the invoice; null for an address. */
    invoice_number: z.string().nullable(),
    email: z.string(),
    ...deliveryFields,
    /** It bounced twice: nothing is sent to the address until it is changed. */
    is_blocked: z.boolean(),
  })
  .meta({ id: 'ListedDelivery' });
export type ListedDelivery = z.infer<typeof listedDelivery>;
