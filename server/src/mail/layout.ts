import type { Mail, MailKind } from './outbox.queries.ts';

/** An entry of a list in a mail: a text, which may be a link, and a detail below it. */
export interface EmailItem {
  text: string;
  url?: string;
  detail?: string;
}

interface EmailContent {
  kind: MailKind;
  recipient: string;
  subject: string;
  title: string;
  /** The text above the action as plain paragraphs. */
  paragraphs: readonly string[];
  /** The main action, as a button and as a link to copy. */
  action?: { label: string; url: string };
  /** The text below the action. */
  closing?: readonly string[];
  /** Names and values, as a list. */
  facts?: readonly (readonly [name: string, value: string])[];
  /** Sections of a longer mail, each with a heading, a list of facts and a list of links. */
  sections?: readonly { heading: string; facts?: NonNullable<EmailContent['facts']>; items?: readonly EmailItem[] }[];
  /**
   * How to stop a regular mailing: a link at the end, and the headers for the button of mail programs. A GET of the URL
   * shows a page; a POST ends the mailing. Source: RFC 8058.
   */
  unsubscribe?: { label: string; url: string };
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escape = (text: string): string => text.replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign);

/** Escapes text for HTML, between tags and in quoted attributes. */
export { escape as escapeHtml };

/** A header is one line: text that a user typed must not start another. */
const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();

/** Light by default, for programs that only read inline styles; dark where the recipient's system is. */
const STYLE = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .page { background: #161c1f !important; }
  .card { background: #1d2428 !important; border-color: #323c41 !important; }
  .ink { color: #e8e6e1 !important; }
  .quiet { color: #aab2b5 !important; }
  .button { background: #8ccbd5 !important; color: #161c1f !important; }
  .plain-link { color: #8ccbd5 !important; }
  .rule { border-color: #323c41 !important; }
  .mark { color: #8ccbd5 !important; }
}
@media (max-width: 480px) {
  .page-cell { padding: 16px 12px !important; }
  .card { padding: 24px 20px !important; }
}`;

const FONT = "font-family:'Segoe UI',system-ui,-apple-system,Roboto,Helvetica,Arial,sans-serif";
const INK = `${FONT};font-size:16px;line-height:1.55;color:#1f272b`;
const QUIET = `${FONT};font-size:14px;line-height:1.55;color:#565d61`;

/** The product's logo. Programs that do not render SVG omit it and show only the name. */
const MARK = `<svg class="mark" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round" style="color:#0c5160;vertical-align:-7px;margin-right:8px"><path d="M4 10.5c4 .2 6.4 1.900 8.200 4.600 2.200-4.900 6-7.300 9.800-7.300 2.500 0 4.300 1.100 5 2.900l2.300 1.100-2.500 1c-.6 5.600-4.600 9.400-10.300 9.400-4.200 0-7.300-1.700-8.900-4.600"/><path d="M12.200 15.100c1.800 1 4.300 1.100 6.600 0"/><path stroke="#c84a2c" d="M3 27.600h8M15 27.600h4.500M23.500 27.600H29"/></svg>`;

const paragraph = (text: string): string => `<p class="ink" style="margin:0 0 16px;${INK}">${escape(text)}</p>`;

function button({ label, url }: NonNullable<EmailContent['action']>): string {
  const href = escape(url);
  return `<p style="margin:24px 0"><a class="button" href="${href}" style="display:inline-block;padding:13px 22px;border-radius:8px;background:#0c5160;color:#ffffff;${FONT};font-size:16px;font-weight:600;text-decoration:none">${escape(label)}</a></p>
<p class="quiet" style="margin:0 0 16px;${QUIET}">If the button does not work, copy this address:<br><a class="plain-link" href="${href}" style="color:#0c5160;word-break:break-all">${href}</a></p>`;
}

const factTable = (facts: NonNullable<EmailContent['facts']>): string =>
  `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:0 0 16px">${facts
    .map(
      ([name, value]) =>
        `<tr><td class="quiet" style="padding:2px 16px 2px 0;vertical-align:top;${QUIET}">${escape(name)}</td><td class="ink" style="padding:2px 0;word-break:break-word;${INK}">${escape(value)}</td></tr>`,
    )
    .join('')}</table>`;

const itemList = (items: readonly EmailItem[]): string =>
  items
    .map(({ text, url, detail }) => {
      const content = url
        ? `<a class="plain-link" href="${escape(url)}" style="color:#0c5160">${escape(text)}</a>`
        : escape(text);
      const below = detail ? `<br><span class="quiet" style="${QUIET}">${escape(detail)}</span>` : '';
      return `<p class="ink" style="margin:0 0 10px;word-break:break-word;${INK}">${content}${below}</p>`;
    })
    .join('\n');

const section = ({ heading, facts = [], items = [] }: NonNullable<EmailContent['sections']>[number]): string =>
  `<h2 class="ink rule" style="margin:28px 0 12px;padding-top:20px;border-top:1px solid #e4dfd5;${FONT};font-size:18px;line-height:1.3;font-weight:700;color:#1f272b">${escape(heading)}</h2>
${facts
  .map(
    ([name, value]) =>
      `<p class="quiet" style="margin:0;${QUIET}">${escape(name)}</p><p class="ink" style="margin:0 0 10px;word-break:break-word;${INK}">${escape(value)}</p>`,
  )
  .join('\n')}
${itemList(items)}`;

const listItems = (items: readonly EmailItem[]): string =>
  items
    .map(({ text, url, detail }) => [`- ${text}${detail ? `: ${detail}` : ''}`, ...(url ? [`  ${url}`] : [])].join('\n'))
    .join('\n');

const listFacts = (facts: NonNullable<EmailContent['facts']>): string =>
  facts.map(([name, value]) => `${name}: ${value}`).join('\n');

/** Renders a mail as HTML and as plain text. It loads no pictures or other resources. Values are escaped here. */
export function renderEmail(product: string, letter: EmailContent): Mail {
  const { kind, recipient, title, paragraphs, action, closing = [], facts, sections = [], unsubscribe } = letter;
  const footer = `${product} · Reading practice for primary schools. You received this email because of an account or an invitation at ${product}.`;
  const html = `<!doctype html>
<html lang="en-GB"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${escape(oneLine(letter.subject))}</title><style>${STYLE}</style></head>
<body class="page" style="margin:0;background:#faf8f4">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" style="background:#faf8f4"><tr><td class="page-cell" align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px"><tr><td align="left">
<p class="ink" style="margin:0 0 16px;${FONT};font-size:18px;line-height:1.3;font-weight:700;color:#1f272b">${MARK}${escape(product)}</p>
<div class="card" style="padding:32px;border:1px solid #e4dfd5;border-radius:12px;background:#ffffff">
<h1 class="ink" style="margin:0 0 20px;${FONT};font-size:24px;line-height:1.25;font-weight:700;color:#1f272b">${escape(title)}</h1>
${paragraphs.map(paragraph).join('\n')}
${facts ? factTable(facts) : ''}
${sections.map(section).join('\n')}
${action ? button(action) : ''}
${closing.map((text) => `<p class="quiet" style="margin:0 0 12px;${QUIET}">${escape(text)}</p>`).join('\n')}
</div>
<p class="quiet" style="margin:16px 0 0;${FONT};font-size:13px;line-height:1.5;color:#565d61">${escape(footer)}${unsubscribe ? `<br><a class="plain-link" href="${escape(unsubscribe.url)}" style="color:#0c5160">${escape(unsubscribe.label)}</a>` : ''}</p>
</td></tr></table></td></tr></table></body></html>
`;
  const text = [
    title,
    ...paragraphs,
    ...(facts ? [listFacts(facts)] : []),
    ...sections.map(({ heading, facts: listed = [], items = [] }) =>
      [heading, listFacts(listed), listItems(items)].filter(Boolean).join('\n'),
    ),
    ...(action ? [`${action.label}:\n${action.url}`] : []),
    ...closing,
    `-- \n${footer}${unsubscribe ? `\n${unsubscribe.label}: ${unsubscribe.url}` : ''}`,
  ].join('\n\n');
  const headers = unsubscribe && {
    'List-Unsubscribe': `<${unsubscribe.url}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
  return {
    kind,
    recipient,
    subject: oneLine(letter.subject),
    html,
    text: `${text}\n`,
    ...(headers ? { headers } : {}),
  };
}
