import type { BodyInputOf } from '#contract/call.ts';
import { contactCalls } from '#contract/calls/contact-us.ts';
import { call } from '../../../shared/api-client.ts';

/** Sends a message to support. */
export const sendEnquiry = (body: BodyInputOf<typeof contactCalls.sendEnquiry>, idempotencyKey: string) =>
  call(contactCalls.sendEnquiry, { body, idempotencyKey });
