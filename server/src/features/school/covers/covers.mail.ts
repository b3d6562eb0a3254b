import type { Config } from '../../../config.ts';
import { renderEmail } from '../../../mail/layout.ts';
import type { Mail } from '../../../mail/outbox.queries.ts';

/** Tells a teacher of a class that a second person entered a supply teacher's code, which ended the cover. */
export const codeReusedMail = (
  { productName }: Config,
  {
    recipient,
    firstName,
    school,
    className,
    supplyTeacher,
    link,
  }: { recipient: string; firstName: string; school: string; className: string; supplyTeacher: string; link: string },
): Mail =>
  renderEmail(productName, {
    kind: 'cover_ended',
    recipient,
    subject: `A code for ${className} was entered twice – ${productName}`,
    title: `${supplyTeacher} no longer covers ${className}`,
    paragraphs: [
      `Hello ${firstName},`,
      `The code on the card of ${supplyTeacher}, who covered ${className} at ${school}, was entered on a second device. We do not know which of the two was theirs, so we have logged out the first and ended the cover.`,
      'If it was the supply teacher both times, start the cover again and give them a new card. If not, someone else has seen the card. Under Changes an admin can see when it was used.',
    ],
    action: { label: `Go to ${className}`, url: link },
  });
