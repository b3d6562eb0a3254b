import { renderEmail } from '../../../mail/layout.ts';
import type { Mail } from '../../../mail/outbox.queries.ts';

interface NewLogins {
  to: { email: string; first_name: string };
  product: string;
  publicUrl: string;
  resetId: string;
  pupils: number;
}

/** Announces that new logins are ready. The passwords are behind the login and never in an email. */
export const newLoginsMail = ({ to, product, publicUrl, resetId, pupils }: NewLogins): Mail =>
  renderEmail(product, {
    kind: 'new_logins',
    recipient: to.email,
    subject: `New ${product} logins are ready`,
    title: 'New logins are ready',
    paragraphs: [
      `Hello ${to.first_name},`,
      `The new logins of ${pupils === 1 ? 'a pupil' : `${pupils} pupils`} are ready: cards to print, and a spreadsheet. The old passwords no longer work.`,
    ],
    action: { label: 'Get the new logins', url: `${publicUrl}/logins/${resetId}` },
    closing: [
      'Log in to get them. Only you can open them, for 24 hours.',
      'If you did not ask for new passwords, tell an administrator of your school.',
    ],
  });
