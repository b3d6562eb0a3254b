import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { email, ids, pagedMeta, paging, timestamp } from '../fields.ts';
import { listedDelivery } from '../mail-delivery.ts';

/** An address to which mails could not be delivered. */
export const bouncedAddress = z
  .strictObject({
    email: z.string(),
    /** Mails that came back since the last one that arrived. */
    bounces: z.number().int(),
    is_blocked: z.boolean(),
    last_at: timestamp,
    /** What the mail server answered last. */
    reason: z.string(),
  })
  .meta({ id: 'BouncedAddress' });
export type BouncedAddress = z.infer<typeof bouncedAddress>;

export const mailDeliveryCalls = defineCalls({
  listMailDeliveries: {
    method: 'GET',
    path: '/enterprises/{id}/mail-deliveries',
    tag: 'School',
    summary: 'Whether emails arrive',
    description:
      'The latest email of the last 90 days to the user’s own address and, for those who change them, to the school’s contacts, and about each invoice.',
    permission: 'view_school',
    area: 'account',
    params: ids('id'),
    reply: z.strictObject({ deliveries: z.array(listedDelivery) }),
  },

  listBouncedAddresses: {
    method: 'GET',
    path: '/admin/bounced-addresses',
    tag: 'Operators',
    summary: 'Addresses to which emails could not be delivered, the latest first',
    permission: 'operator',
    query: z.object(paging),
    reply: z.strictObject({ addresses: z.array(bouncedAddress), meta: pagedMeta }),
  },

  retryAddress: {
    method: 'POST',
    path: '/admin/bounced-addresses/retry',
    tag: 'Operators',
    summary: 'Send emails to an address again that has bounced',
    permission: 'operator',
    example: { body: { email: 'office@willowbank.example' } },
    body: z.object({ email }),
    reply: z.strictObject({}),
  },
});
