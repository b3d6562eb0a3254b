import { contactCalls } from '#contract/calls/contact-us.ts';
import type { BodyInputOf } from '#contract/call.ts';
import { call } from '../../../shared/api-client.ts';

/** Requests contact about a new or a renewed subscription. */
export const requestContact = (
  action: 'start' | 'renew',
  body: BodyInputOf<typeof contactCalls.requestContact>,
  idempotencyKey: string,
) => call(contactCalls.requestContact, { params: { action }, body, idempotencyKey });
