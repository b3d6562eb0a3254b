import { renderEmail } from '../../mail/layout.ts';
import type { Mail } from '../../mail/outbox.queries.ts';

interface NewLogins {
  to: { email: string; first_name: string };
  product: string;
  publicUrl: string;
  resetId: string;
  pupils: number;
}

/** That new logins are ready, with the way to them. The passwords are behind the login and never in a mail. */
export const newLoginsMail = ({ to, product, publicUrl, resetId, pupils }: NewLogins): Mail =>
  renderEmail(product, {
    kind: 'new_logins',
    recipient: to.email,
    subject: `New ${product} logins are ready`,
    title: 'New logins are ready',
    paragraphs: [
      `Hello ${to.first_name},`,
      `The new logins of ${pupils === 1 ? 'a pupil' : `${pupils} pupils`} are ready: cards to print, and a spreadsheet. The old passwords have ended.`,
    ],
    action: { label: 'Fetch the new logins', url: `${publicUrl}/logins/${resetId}` },
    closing: [
      'You log in to fetch them. They are there for you, and for nobody else, for 24 hours.',
      'You did not ask for new passwords? Tell an administrator of your school.',
    ],
  });
