import { writeCsvRow } from '#contract/csv.ts';
import { INK, QUIET } from '../../../pdf/write-pdf.ts';

/** A table of formatted values. */
export interface CopyTable {
  /** Absent where the heading of the section says enough. */
  caption?: string;
  /** Widths are shares of the whole. Without names the table has no head: its rows are names and values. */
  columns: { name: string; width: number; isNumber?: boolean }[];
  rows: string[][];
  total?: string[] | undefined;
  note?: string | undefined;
}

/** Texts that people wrote, with who wrote them and when. */
export interface CopyQuote {
  text: string;
  source: string;
}

export interface CopySection {
  title: string;
  sentences: string[];
  tables: CopyTable[];
  quotes: CopyQuote[];
}

/** A bar chart: the title, and the value of each bar with its label. */
export interface CopyChart {
  title: string;
  bars: { label: string; value: number; text: string }[];
}

/** The readable page of a copy, in formatted texts. */
export interface CopyPage {
  product: string;
  title: string;
  /** Whose copy it is, made when and for which request. */
  subtitle: string;
  summary: string[];
  chart: CopyChart | null;
  /** What the copy contains, and the rights of the person. */
  about: string[];
  sections: CopySection[];
}

/** A line of a CSV file, with its end. Times are in UTC, lists and objects JSON. */
export const csvLine = (values: readonly unknown[]): string =>
  writeCsvRow(
    values.map((value) => {
      if (value === null || value === undefined) return null;
      if (typeof value === 'number' || typeof value === 'string') return value;
      return value instanceof Date ? value.toISOString() : JSON.stringify(value);
    }),
  );

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);

const STYLE = `:root{color-scheme:light dark;--ink:${INK};--quiet:${QUIET};--paper:#fff;--line:#c9c4b8;--bar:#0c5160}
@media(prefers-color-scheme:dark){:root{--ink:#eef1f2;--quiet:#b4bec2;--paper:#171c1f;--line:#4a5458;--bar:#63c0cf}}
body{font:1rem/1.55 system-ui,sans-serif;max-width:48rem;margin:2rem auto;padding:0 1rem;color:var(--ink);background:var(--paper)}
h1{font-size:1.9rem;line-height:1.2;margin-bottom:.25rem}h2{margin-top:2.5rem;font-size:1.35rem}
.quiet,figcaption,blockquote footer{color:var(--quiet)}.summary{font-size:1.1rem}
.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;margin:1rem 0 .5rem}caption{text-align:left;font-weight:600;padding-bottom:.25rem}
th,td{text-align:left;vertical-align:top;padding:.35rem .75rem .35rem 0;border-bottom:1px solid var(--line);font-weight:400;overflow-wrap:break-word}
thead th{color:var(--quiet);font-size:.875rem}tfoot th,tfoot td{font-weight:600}.number{text-align:right;font-variant-numeric:tabular-nums}
blockquote{margin:1rem 0;padding-left:1rem;border-left:3px solid var(--line)}blockquote p{margin:0;white-space:pre-wrap;overflow-wrap:anywhere}
figure{margin:1.5rem 0}.bar{display:grid;grid-template-columns:9rem 1fr 11rem;gap:0 .75rem;align-items:center}.bar div{background:var(--bar);height:.8rem;min-width:1px}
@media(max-width:36rem){.bar{grid-template-columns:1fr auto;margin-bottom:.5rem}.bar div{grid-area:2/1/3/3}}
@media print{h2,thead,blockquote,tr{break-inside:avoid}}`;

const paragraphs = (texts: readonly string[]): string => texts.map((text) => `<p>${escapeHtml(text)}</p>`).join('\n');

function htmlTable({ caption, columns, rows, total, note }: CopyTable): string {
  const cells = (values: readonly string[], first: 'row' | null) =>
    values
      .map((value, index) => {
        const align = columns[index]?.isNumber ? ' class="number"' : '';
        return index === 0 && first
          ? `<th scope="row">${escapeHtml(value)}</th>`
          : `<td${align}>${escapeHtml(value)}</td>`;
      })
      .join('');
  const hasHead = columns.some(({ name }) => name !== '');
  const head = columns
    .map(({ name, isNumber }) => `<th scope="col"${isNumber ? ' class="number"' : ''}>${escapeHtml(name)}</th>`)
    .join('');
  return `<div class="scroll" tabindex="0"><table>${caption ? `<caption>${escapeHtml(caption)}</caption>` : ''}${hasHead ? `<thead><tr>${head}</tr></thead>` : ''}
<tbody>${rows.map((row) => `<tr>${cells(row, 'row')}</tr>`).join('\n')}</tbody>${
    total ? `<tfoot><tr>${cells(total, 'row')}</tr></tfoot>` : ''
  }</table></div>${note ? `<p class="quiet">${escapeHtml(note)}</p>` : ''}`;
}

function htmlChart({ title, bars }: CopyChart): string {
  const most = Math.max(1, ...bars.map(({ value }) => value));
  const lines = bars.map(
    ({ label, value, text }) =>
      `<div class="bar"><span>${escapeHtml(label)}</span><div style="width:${((100 * value) / most).toFixed(1)}%"></div><span>${escapeHtml(text)}</span></div>`,
  );
  return `<figure><figcaption>${escapeHtml(title)}</figcaption>${lines.join('\n')}</figure>`;
}

/** The page as HTML, without scripts or links to other files. */
export function htmlPage({ title, subtitle, summary, chart, about, sections }: CopyPage): string {
  const parts = sections.map(
    (section) =>
      `<section><h2>${escapeHtml(section.title)}</h2>${paragraphs(section.sentences)}${section.tables.map(htmlTable).join('')}${section.quotes
        .map(
          ({ text, source }) =>
            `<blockquote><p>${escapeHtml(text)}</p><footer>${escapeHtml(source)}</footer></blockquote>`,
        )
        .join('')}</section>`,
  );
  return `<!doctype html>
<html lang="en-GB">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title><style>${STYLE}</style></head>
<body>
<h1>${escapeHtml(title)}</h1>
<p class="quiet">${escapeHtml(subtitle)}</p>
<div class="summary">${paragraphs(summary)}</div>
${chart ? htmlChart(chart) : ''}
<h2>About this copy</h2>
${paragraphs(about)}
${parts.join('\n')}
</body>
</html>
`;
}
