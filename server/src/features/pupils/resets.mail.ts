import type { Mail } from '../../mail/outbox.queries.ts';

interface NewLogins {
  to: { email: string; first_name: string };
  product: string;
  publicUrl: string;
  resetId: string;
  pupils: number;
}

const escape = (text: string) => text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] ?? sign);

/** That new logins are ready, with the way to them. The passwords are behind the login and never in a mail. */
export function newLoginsMail({ to, product, publicUrl, resetId, pupils }: NewLogins): Mail {
  const link = `${publicUrl}/logins/${resetId}`;
  const whose = pupils === 1 ? 'a pupil' : `${pupils} pupils`;
  const lines = [
    `Hello ${to.first_name},`,
    `the new logins of ${whose} are ready. The old passwords have ended.`,
    'Log in and fetch the cards to print, or the spreadsheet. They are there for you for 24 hours:',
  ];
  const end = 'If you did not ask for new passwords, tell an administrator of your school.';
  return {
    recipient: to.email,
    subject: `New ${product} logins are ready`,
    text: [...lines, link, end].join('\n\n'),
    html: `<!doctype html><html lang="en-GB"><body style="font:16px/1.5 sans-serif;color:#14213d">${lines.map((line) => `<p>${escape(line)}</p>`).join('')}<p><a href="${escape(link)}">Fetch the new logins</a></p><p>${escape(end)}</p></body></html>`,
  };
}
