import type { BodyOf } from '#contract/call.ts';
import type { contactCalls } from '#contract/calls/contact-us.ts';
import { renderEmail } from '../../../mail/layout.ts';
import type { Mail } from '../../../mail/outbox.queries.ts';

interface Enquirer {
  name: string;
  email: string;
  role: string;
  school: { id: number; name: string };
}

/** Sends a school's question to the company. Replies go to the person who sent it. */
export const enquiryMail = (
  product: string,
  to: string,
  { name, email, role, school }: Enquirer,
  { subject, message, contact_number: phone }: BodyOf<typeof contactCalls.sendEnquiry>,
): Mail => ({
  ...renderEmail(product, {
    kind: 'enquiry',
    recipient: to,
    subject: `${subject} (${school.name})`,
    title: subject,
    paragraphs: message.split(/\n\s*\n/),
    facts: [
      ['From', `${name}, ${role}`],
      ['Email', email],
      ...(phone ? [['Phone', phone] as const] : []),
      ['School', `${school.name} (${school.id})`],
    ],
  }),
  headers: { 'Reply-To': email },
});
