import { writeCsvRow } from '#contract/csv.ts';
import { formatLongDay } from '../../clock.ts';
import { A4, INK, QUIET, writePdf } from '../../pdf/write-pdf.ts';

declare module '../../workers/worker-pool.ts' {
  interface WorkerTasks {
    renderCopy: typeof renderCopy;
  }
}

/** A kind of data on the page, with the last rows of each of its tables: names of columns and values. */
export interface CopySection {
  title: string;
  facts: [name: string, text: string][];
  tables: { file: string; total: number; rows: [name: string, value: string][][] }[];
}

/** The readable page of a copy, in texts. */
export interface CopyPage {
  product: string;
  title: string;
  school: string;
  /** Formatted, like `receivedOn`. */
  date: string;
  receivedOn: string;
  isPupil: boolean;
  sections: CopySection[];
}

const dateAndTime = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'Europe/London',
});

/** Columns with codes of the portal. */
const CODED: ReadonlySet<string> = new Set(
  'action document kind maturity method need outcome provider requester_relation response role screen status type user_type what'.split(
    ' ',
  ),
);
/** Codes whose own words do not explain them. */
const WORDS: Readonly<Record<string, string>> = {
  adult_decides: 'A parent or carer',
  authenticator: 'Authenticator app',
  pupil_decides: 'The pupil',
  pupil_password: 'Password',
  send: 'SEND',
  set_up: 'Set-up',
  set_up_link: 'Set-up link',
  subject: 'The person themselves',
};
/** Columns whose own words do not explain them. */
const LABELS: Readonly<Record<string, string>> = {
  at: 'When',
  actor_user_name: 'By',
  is_support: 'By our support team',
  maturity: 'Who decides',
};
/** Numbers of the row itself and of the person, and what an entry of the audit log is about. */
const NOT_ON_PAGE = /^(id|pupil_id|subject_id|subject_kind)$/;
const DAY = /^\d{4}-\d\d-\d\d$/;

const sentenceCase = (code: string): string => {
  const words = code.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** A value for people: times in London time, lists with commas, objects as names and values. */
function formatValue(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return dateAndTime.format(value);
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (Array.isArray(value)) return value.map(formatValue).join(', ');
  if (typeof value === 'string') return DAY.test(value) ? formatLongDay(value) : value;
  if (typeof value !== 'object') return JSON.stringify(value);
  return Object.entries(value)
    .filter(([, part]) => part !== null)
    .map(([name, part]) => `${sentenceCase(name)}: ${formatValue(part)}`)
    .join(', ');
}

/**
 * The columns of a row that have a value, for people: a name replaces its number, words replace a code, and the row's own
 * number is left out.
 * @param providers names of sign-in providers by ID
 */
export const toLines = (
  row: Readonly<Record<string, unknown>>,
  columns: readonly string[],
  providers: ReadonlyMap<string, string>,
): [string, string][] =>
  columns
    .filter((column) => !NOT_ON_PAGE.test(column) && !columns.includes(`${column.replace(/_id$/, '')}_name`))
    .map((column): [string, string] => {
      const value = row[column];
      const label = LABELS[column] ?? sentenceCase(column.replace(/_name$/, ''));
      if (!CODED.has(column) || typeof value !== 'string') return [label, formatValue(value)];
      return [label, WORDS[value] ?? providers.get(value) ?? sentenceCase(value)];
    })
    .filter(([, value]) => value !== '');

/** A line of a CSV file, with its end. Times are in UTC, lists and objects JSON. */
export const csvLine = (values: readonly unknown[]): string =>
  writeCsvRow(
    values.map((value) => {
      if (value === null || value === undefined) return null;
      if (typeof value === 'number' || typeof value === 'string') return value;
      return value instanceof Date ? value.toISOString() : JSON.stringify(value);
    }),
  );

/** The sentences at the top of the page. */
const introduction = ({ school, date, receivedOn, isPupil }: CopyPage): string[] => [
  `${school} made this copy on ${date}, for a request that it received on ${receivedOn}.`,
  `It contains what the portal stores about ${isPupil ? 'the pupil' : 'this member of staff'}. The school decides why and how the data is used. It came from staff of the school${isPupil ? ' and from the reading app' : ''}, and no decision is made by a computer alone.`,
  'The folder data contains every entry, as tables (CSV) and for other programs (JSON). This page shows the last entries of each kind.',
  'You may ask the school to correct or erase the data, to limit its use, or object to it. You may complain to the Information Commissioner’s Office at ico.org.uk.',
];

/** "The last 200 of 5,000 entries", or "3 entries". */
const countRows = ({ file, total, rows }: CopySection['tables'][number]): string => {
  const entries = total === 1 ? '1 entry' : `${total.toLocaleString('en-GB')} entries`;
  return `${rows.length < total ? `The last ${rows.length} of ${entries}` : entries.charAt(0).toUpperCase() + entries.slice(1)}, in data/${file}.csv`;
};

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);

const STYLE = `body{font:1rem/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;color:${INK}}
dt{font-weight:600}dd{margin:0;white-space:pre-wrap;overflow-wrap:anywhere}dl{margin:.5rem 0;display:grid;grid-template-columns:minmax(8rem,max-content) 1fr;gap:0 1rem}li{border-top:1px solid #c9c4b8;padding:.3rem 0}
.fact{color:${QUIET}}`;

/** The page as HTML, without scripts or links to other files. */
export function htmlPage(page: CopyPage): string {
  const terms = (lines: readonly (readonly [string, string])[], name = '') =>
    `<dl${name}>${lines.map(([term, text]) => `<dt>${escapeHtml(term)}</dt><dd>${escapeHtml(text)}</dd>`).join('')}</dl>`;
  const sections = page.sections.map(
    ({ title, facts, tables }) =>
      `<section><h2>${escapeHtml(title)}</h2>${terms(facts, ' class="fact"')}${tables
        .map(
          (table) =>
            `<p>${escapeHtml(countRows(table))}</p><ol>${table.rows.map((row) => `<li>${terms(row)}</li>`).join('')}</ol>`,
        )
        .join('')}</section>`,
  );
  return `<!doctype html>
<html lang="en-GB">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(page.title)}</title><style>${STYLE}</style></head>
<body>
<h1>${escapeHtml(page.title)}</h1>
${introduction(page)
  .map((text) => `<p>${escapeHtml(text)}</p>`)
  .join('\n')}
${sections.join('\n')}
</body>
</html>
`;
}

const LEFT = 56;
const WIDTH = A4.width - 2 * LEFT;
/** Below this there is no space for a heading, the facts about a kind of data and its first row. */
const LAST_HEADING = A4.height - 220;

/** The page as a PDF. Runs in a worker. */
export const renderCopy = (page: CopyPage): Promise<Uint8Array> =>
  writePdf(
    { title: page.title, product: page.product },
    (doc) => {
      const paragraph = (text: string, { size = 11, color = INK, gap = 6 } = {}) => {
        doc.tag('P', () =>
          doc.font('regular').fontSize(size).fillColor(color).text(text, LEFT, doc.y, { width: WIDTH }),
        );
        doc.y += gap;
      };
      doc.tag('H1', () => doc.font('bold').fontSize(20).fillColor(INK).text(page.title, LEFT, doc.y, { width: WIDTH }));
      doc.y += 8;
      for (const text of introduction(page)) paragraph(text);
      for (const { title, facts, tables } of page.sections) {
        // A heading stays with what follows it.
        if (doc.y > LAST_HEADING) doc.addPage();
        doc.y += 10;
        doc.tag('H2', () => doc.font('bold').fontSize(14).fillColor(INK).text(title, LEFT, doc.y, { width: WIDTH }));
        doc.y += 4;
        for (const [name, text] of facts) paragraph(`${name}: ${text}`, { size: 10, color: QUIET, gap: 2 });
        for (const table of tables) {
          doc.y += 6;
          paragraph(countRows(table));
          doc.section('L', () => {
            for (const row of table.rows)
              doc.item(() => paragraph(row.map(([name, value]) => `${name}: ${value}`).join(' · '), { size: 10 }));
          });
        }
      }
    },
    { margins: { top: 56, bottom: 56, left: LEFT, right: LEFT }, autoFirstPage: true },
  );
