import { renderEmail } from '../../../mail/layout.ts';
import type { Mail } from '../../../mail/outbox.queries.ts';

interface ContactRequest {
  action: 'start' | 'renew';
  /** Hour of the day in London. */
  time: number;
  contact_number: string;
  email: string;
  contact_preference: 'phone' | 'email';
}

const clockTime = (hour: number): string =>
  hour < 12 ? `${hour} am` : `${hour > 12 ? hour - 12 : 12} ${hour === 12 ? 'noon' : 'pm'}`;

/** Tells the company who would like to be contacted. */
export const contactRequestMail = (product: string, to: string, request: ContactRequest): Mail =>
  renderEmail(product, {
    kind: 'contact_request',
    recipient: to,
    subject:
      request.action === 'start'
        ? 'A school would like to start a subscription'
        : 'A school would like to renew a subscription',
    title: request.action === 'start' ? 'A new subscription' : 'A renewal',
    paragraphs: ['Someone filled in the contact form and asked us to get in touch.'],
    facts: [
      ['Reach them by', request.contact_preference],
      ['At', `${clockTime(request.time)}, London time`],
      ['Phone', request.contact_number],
      ['Email', request.email],
    ],
  });
