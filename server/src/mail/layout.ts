import type { Mail, MailKind } from './outbox.queries.ts';

type Facts = readonly (readonly [name: string, value: string])[];

/** One of a list: its text, perhaps a link, and a quieter line below. */
export interface MailItem {
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
  facts?: Facts;
  /** Sections of a longer mail, each with a heading, a list of facts and a list of items. */
  sections?: readonly { heading: string; facts?: Facts; items?: readonly MailItem[] }[];
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
  .button { background: #8ccbd5 !important; }
  .button-text { color: #161c1f !important; }
  .plain-link { color: #8ccbd5 !important; }
  .rule { border-color: #323c41 !important; }
  .mark { color: #8ccbd5 !important; }
}
@media (max-width: 480px) {
  .page-cell { padding: 16px 12px !important; }
  .card { padding: 24px 20px !important; }
}`;

/*
 * Outlook for Windows renders mails with Word, which ignores padding outside of table cells, rounded corners, the greatest
 * width and everything in STYLE. So whatever needs space is a cell, and the width is given to Word in a table of its own.
 */
const TABLE = 'role="presentation" cellpadding="0" cellspacing="0" border="0"';
const WIDTH = 560;

const FONT = "font-family:'Segoe UI',system-ui,-apple-system,Roboto,Helvetica,Arial,sans-serif";
const INK = `${FONT};font-size:16px;line-height:25px;color:#1f272b`;
const QUIET = `${FONT};font-size:14px;line-height:22px;color:#565d61`;
/** Breaks words and addresses that are longer than a line. */
const BREAK = 'word-break:break-word;overflow-wrap:anywhere';

/** The product's logo. Programs that do not render SVG omit it and show only the name. */
const MARK = `<svg class="mark" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round" style="color:#0c5160;vertical-align:-7px;margin-right:8px"><path d="M4 10.5c4 .2 6.4 1.900 8.200 4.600 2.200-4.900 6-7.300 9.800-7.300 2.500 0 4.300 1.100 5 2.900l2.300 1.100-2.500 1c-.6 5.600-4.600 9.400-10.300 9.400-4.200 0-7.300-1.700-8.900-4.600"/><path d="M12.200 15.100c1.800 1 4.300 1.100 6.600 0"/><path stroke="#c84a2c" d="M3 27.600h8M15 27.600h4.500M23.500 27.600H29"/></svg>`;

const paragraph = (text: string): string =>
  `<p class="ink" style="margin:0 0 16px;${INK};${BREAK}">${escape(text)}</p>`;

const link = (url: string, text: string, style = ''): string =>
  `<a class="plain-link" href="${escape(url)}" style="color:#0c5160;${BREAK}${style}">${text}</a>`;

/** The padding is shared between the cell and the link, so that most of the button can be pressed and Word has some. */
function button({ label, url }: NonNullable<EmailContent['action']>): string {
  const href = escape(url);
  return `<table ${TABLE} style="margin:8px 0 24px"><tr><td class="button" bgcolor="#0c5160" align="center" style="padding:7px 12px;border-radius:8px;background:#0c5160"><a class="button-text" href="${href}" style="display:block;padding:8px 12px;${FONT};font-size:16px;line-height:22px;font-weight:600;color:#ffffff;text-decoration:none">${escape(label)}</a></td></tr></table>
<p class="quiet" style="margin:0 0 16px;${QUIET};${BREAK}">If the button does not work, copy this address:<br>${link(url, href)}</p>`;
}

const factTable = (facts: Facts): string =>
  `<table ${TABLE} style="margin:0 0 16px">${facts
    .map(
      ([name, value]) =>
        `<tr><td class="quiet" valign="top" style="padding:2px 16px 2px 0;${QUIET}">${escape(name)}</td><td class="ink" valign="top" style="padding:2px 0;${INK};${BREAK}">${escape(value)}</td></tr>`,
    )
    .join('')}</table>`;

/** Each fact below its name: the values of a section are longer. */
const stackedFacts = (facts: Facts): string =>
  facts
    .map(
      ([name, value]) =>
        `<p class="quiet" style="margin:0;${QUIET}">${escape(name)}</p><p class="ink" style="margin:0 0 10px;${INK};${BREAK}">${escape(value)}</p>`,
    )
    .join('\n');

const itemTable = (items: readonly MailItem[]): string =>
  `<table ${TABLE} width="100%">${items
    .map(({ text, url, detail }) => {
      const title = url ? link(url, escape(text), ';font-weight:600') : escape(text);
      const below = detail ? `<p class="quiet" style="margin:0;${QUIET};${BREAK}">${escape(detail)}</p>` : '';
      return `<tr><td style="padding:0 0 12px"><p class="ink" style="margin:0;${INK};${BREAK}">${title}</p>${below}</td></tr>`;
    })
    .join('')}</table>`;

const section = ({ heading, facts, items }: NonNullable<EmailContent['sections']>[number]): string =>
  `<table ${TABLE} width="100%" style="margin:12px 0 0"><tr><td class="rule" style="padding:20px 0 12px;border-top:1px solid #e4dfd5"><h2 class="ink" style="margin:0;${FONT};font-size:18px;line-height:24px;font-weight:700;color:#1f272b;${BREAK}">${escape(heading)}</h2></td></tr></table>
${facts ? stackedFacts(facts) : ''}
${items ? itemTable(items) : ''}`;

const listFacts = (facts: Facts): string => facts.map(([name, value]) => `${name}: ${value}`).join('\n');

const listItems = (items: readonly MailItem[]): string =>
  items
    .map(({ text, url, detail }) => [detail ? `${text}: ${detail}` : text, ...(url ? [url] : [])].join('\n'))
    .join('\n');

/** The columns of a page with one narrow column in the middle, for Word too. */
const inColumn = (
  content: string,
): string => `<!--[if mso]><table ${TABLE} width="${WIDTH}" align="center"><tr><td><![endif]-->
<table ${TABLE} width="100%" style="max-width:${WIDTH}px"><tr><td align="left">
${content}
</td></tr></table>
<!--[if mso]></td></tr></table><![endif]-->`;

/** Renders a mail as HTML and as plain text. It loads no pictures or other resources. Values are escaped here. */
export function renderEmail(product: string, letter: EmailContent): Mail {
  const { kind, recipient, title, paragraphs, action, closing = [], facts, sections = [], unsubscribe } = letter;
  const footer = `${product} · Reading practice for primary schools. You received this email because of an account or an invitation at ${product}.`;
  const card = `<h1 class="ink" style="margin:0 0 20px;${FONT};font-size:24px;line-height:30px;font-weight:700;color:#1f272b;${BREAK}">${escape(title)}</h1>
${paragraphs.map(paragraph).join('\n')}
${facts ? factTable(facts) : ''}
${sections.map(section).join('\n')}
${action ? button(action) : ''}
${closing.map((text) => `<p class="quiet" style="margin:0 0 12px;${QUIET};${BREAK}">${escape(text)}</p>`).join('\n')}`;
  const column = `<p class="ink" style="margin:0 0 16px;${FONT};font-size:18px;line-height:28px;font-weight:700;color:#1f272b">${MARK}${escape(product)}</p>
<table ${TABLE} width="100%" style="table-layout:fixed"><tr><td class="card" bgcolor="#ffffff" style="padding:32px;border:1px solid #e4dfd5;border-radius:12px;background:#ffffff">
${card}
</td></tr></table>
<p class="quiet" style="margin:16px 0 0;${FONT};font-size:13px;line-height:20px;color:#565d61">${escape(footer)}${unsubscribe ? `<br>${link(unsubscribe.url, escape(unsubscribe.label))}` : ''}</p>`;
  const html = `<!doctype html>
<html lang="en-GB"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${escape(oneLine(letter.subject))}</title><style>${STYLE}</style></head>
<body class="page" style="margin:0;background:#faf8f4">
<table ${TABLE} class="page" width="100%" bgcolor="#faf8f4" style="background:#faf8f4"><tr><td class="page-cell" align="center" style="padding:32px 16px">
${inColumn(column)}
</td></tr></table></body></html>
`;
  const text = [
    title,
    ...paragraphs,
    ...(facts ? [listFacts(facts)] : []),
    ...sections.map(({ heading, facts: listed, items }) =>
      [heading, ...(listed ? [listFacts(listed)] : []), ...(items ? [listItems(items)] : [])].join('\n'),
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
