import type { InvoiceContent } from '#contract/calls/hosted-invoices.ts';
import { vatByRate } from '#contract/money.ts';
import { formatLongDay } from '../../../clock.ts';
import { type Doc, writePdf } from '../../../pdf/write-pdf.ts';

declare module '../../../workers/worker-pool.ts' {
  interface WorkerTasks {
    renderInvoice: typeof renderInvoice;
  }
}

interface InvoiceInput {
  number: string;
  /** Days, `YYYY-MM-DD`. */
  issuedOn: string;
  dueOn: string;
  /** Pence. */
  subtotal: number;
  vat: number;
  total: number;
  poNumber: string | null;
  content: InvoiceContent;
  /** The invoice's web page. */
  url: string;
  /** Rendered on its own page. */
  creditNote: { number: string; issuedOn: string; reason: string } | null;
}

/** All in points. */
const PAGE = { width: 595.28, side: 54, top: 54 };
const WIDTH = PAGE.width - 2 * PAGE.side;
const RIGHT = { x: PAGE.side + WIDTH * 0.58, width: WIDTH * 0.42 };
const AMOUNT = { x: PAGE.side + WIDTH - 110, width: 110 };
const INK = '#1f272b';
const QUIET = '#565d61';
const ACCENT = '#0c5160';
const RULE = '#c9cfc9';

const money = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP' });
const pounds = (pence: number): string => money.format(pence / 100);
/** 2000 as `20%`, 1750 as `17.5%`. */
const percent = (rate: number): string => `${rate / 100}%`;

/**
 * Renders an invoice and its credit note, if any, as a PDF. Runs in a worker.
 * Texts, layout and tags cannot change: an issued invoice must stay the same file.
 */
export const renderInvoice = (input: InvoiceInput): Promise<Uint8Array> => {
  const { name } = input.content.seller;
  const untagged = { tagged: false, displayTitle: false, pdfVersion: '1.3' } as const;
  return writePdf({ title: `Invoice ${input.number}` }, (doc) => drawPages(doc, input), {
    ...(!input.content.is_tagged && untagged),
    // The date of issue, so that rendering it again gives the same file.
    info: { Author: name, Creator: name, CreationDate: new Date(`${input.issuedOn}T00:00:00Z`) },
    autoFirstPage: true,
  });
};

function drawPages(doc: Doc, input: InvoiceInput): void {
  const { creditNote } = input;
  const facts: [string, string][] = [
    ['Invoice number', input.number],
    ['Date of issue', formatLongDay(input.issuedOn)],
    ['Payment due', formatLongDay(input.dueOn)],
    ...(input.poNumber ? ([['Your purchase order', input.poNumber]] as [string, string][]) : []),
  ];
  doc.section('Sect', () => {
    writePage(doc, 'Invoice', facts, input, 1);
    drawPayment(doc, input);
  });
  if (creditNote) {
    doc.addPage();
    const about: [string, string][] = [
      ['Credit note number', creditNote.number],
      ['Date of issue', formatLongDay(creditNote.issuedOn)],
      ['For invoice', `${input.number} of ${formatLongDay(input.issuedOn)}`],
      ['Reason', creditNote.reason],
    ];
    doc.section('Sect', () => writePage(doc, 'Credit note', about, input, -1));
  }
}

interface LineStyle {
  width: number;
  type?: 'H2' | 'P' | 'Span';
  actual?: string;
  size?: number;
  font?: string;
  color?: string;
}

/** Writes lines below each other, each a paragraph or what `type` says, and returns the y position of the next one. */
function drawLines(
  doc: Doc,
  lines: readonly string[],
  x: number,
  y: number,
  { width, type = 'P', actual, size = 10, font = 'regular', color = INK }: LineStyle,
): number {
  let top = y;
  for (const line of lines) {
    doc.font(font).fontSize(size).fillColor(color);
    doc.tag(type, () => doc.text(line, x, top, { width }), actual === undefined ? {} : { actual });
    top = doc.y + 1;
  }
  return top;
}

/** Header, parties, lines and totals. @param sign -1 for a credit note, whose amounts are negative */
function writePage(doc: Doc, title: string, facts: [string, string][], input: InvoiceInput, sign: 1 | -1): void {
  const { seller } = input.content;
  const half = { width: RIGHT.x - PAGE.side - 24 };
  let left = drawLines(doc, [seller.name], PAGE.side, PAGE.top, { ...half, size: 15, font: 'bold', color: ACCENT });
  const details = [...seller.address, seller.email, ...(seller.vat_number ? [`VAT number ${seller.vat_number}`] : [])];
  left = drawLines(doc, details, PAGE.side, left + 2, { ...half, size: 9.5, color: QUIET });
  doc.font('bold').fontSize(26).fillColor(INK);
  doc.tag('H1', () => doc.text(title, RIGHT.x, PAGE.top - 8, { width: RIGHT.width }));

  const parties = Math.max(left, doc.y) + 26;
  left = drawLines(doc, ['Billed to'], PAGE.side, parties, { ...half, size: 9.5, color: QUIET });
  left = drawLines(doc, [input.content.school], PAGE.side, left + 1, { ...half, font: 'bold', size: 11 });
  left = drawLines(doc, input.content.bill_to, PAGE.side, left + 1, half);
  let right = parties;
  const fact = { width: RIGHT.width, type: 'Span' } as const;
  for (const [name, value] of facts)
    doc.section('P', () => {
      right = drawLines(doc, [name], RIGHT.x, right, { ...fact, actual: `${name}: `, size: 9.5, color: QUIET });
      right = drawLines(doc, [value], RIGHT.x, right - 1, { ...fact, font: 'bold' }) + 5;
    });
  drawSums(doc, drawItems(doc, Math.max(left, right) + 24, input, sign), input, sign);
}

const rule = (doc: Doc, y: number, width = 0.8): void =>
  void doc
    .moveTo(PAGE.side, y)
    .lineTo(PAGE.side + WIDTH, y)
    .lineWidth(width)
    .strokeColor(RULE)
    .stroke();

const amount = (doc: Doc, text: string, y: number): void =>
  void doc.text(text, AMOUNT.x, y, { width: AMOUNT.width, align: 'right', lineBreak: false });

function drawItems(doc: Doc, top: number, { content }: InvoiceInput, sign: 1 | -1): number {
  let y = top + 30;
  const width = AMOUNT.x - PAGE.side - 24;
  doc.section('Table', () => {
    doc.font('regular').fontSize(9.5).fillColor(QUIET);
    doc.section('TR', () => {
      doc.tag('TH', () => doc.text('Description', PAGE.side, top), { scope: 'Column' });
      doc.tag('TH', () => amount(doc, 'Amount', top), { scope: 'Column' });
    });
    rule(doc, top + 20, 1.2);
    for (const { text, detail, quantity, unit_price_pence, amount: pence } of content.lines)
      doc.section('TR', () => {
        // Read before the amount, and drawn after it.
        const description = doc.section('TH', undefined, { scope: 'Row' });
        doc.font('regular').fontSize(10).fillColor(INK);
        doc.tag('TD', () => amount(doc, pounds(sign * pence), y));
        doc.addTo(description, () => {
          const title = quantity === 1 ? text : `${text}: ${quantity} × ${pounds(unit_price_pence)}`;
          y = drawLines(doc, [title], PAGE.side, y, { width, font: 'bold' });
          const period = `${detail}: ${formatLongDay(content.period.from)} to ${formatLongDay(content.period.to)}`;
          y = drawLines(doc, [period], PAGE.side, y, { width, size: 9.5, color: QUIET }) + 10;
        });
      });
  });
  const { due_yearly: yearly } = content;
  if (yearly && sign === 1) {
    const renewal = `Renewal from ${formatLongDay(yearly.from)}: ${pounds(yearly.net)} a year without VAT, at today’s price`;
    y = drawLines(doc, [renewal], PAGE.side, y, { width, size: 9.5, color: QUIET }) + 10;
  }
  rule(doc, y);
  return y + 12;
}

function drawSums(doc: Doc, top: number, input: InvoiceInput, sign: 1 | -1): void {
  const { vat_rate, country_code, lines } = input.content;
  const rates = vatByRate(lines);
  const vatText = (rate: number) =>
    rate > 0 ? `VAT at ${percent(rate)}` : `VAT: none charged (customer in ${country_code})`;
  let y = top;
  const sum = (name: string, pence: number, font: string, size: number, color: string) => {
    doc.font(font).fontSize(size).fillColor(color);
    doc.section('TR', () => {
      doc.tag('TH', () => doc.text(name, PAGE.side + WIDTH * 0.42, y, { lineBreak: false }), { scope: 'Row' });
      doc.tag('TD', () => amount(doc, pounds(sign * pence), y));
    });
    y += size * 1.9;
  };
  doc.section('Table', () => {
    sum('Subtotal without VAT', input.subtotal, 'regular', 10, INK);
    if (rates.length > 1) for (const { rate, vat } of rates) sum(vatText(rate), vat, 'regular', 10, INK);
    else sum(vatText(vat_rate), input.vat, 'regular', 10, INK);
    y += 4;
    sum(sign === 1 ? 'Total' : 'Total credited', input.total, 'bold', 14, INK);
  });
  doc.y = y;
}

function drawPayment(doc: Doc, { number, dueOn, total, content, url }: InvoiceInput): void {
  const top = doc.y + 28;
  const { bank_account: bank, seller } = content;
  const lines =
    total === 0
      ? ['There is nothing to pay.']
      : [
          `Please pay ${pounds(total)} by ${formatLongDay(dueOn)}. The account is locked while an invoice is overdue; nothing is deleted.`,
          ...(bank
            ? [
                `By bank transfer: ${bank.name}, sort code ${bank.sort_code}, account number ${bank.number}, reference ${number}.`,
              ]
            : [`Ask ${seller.email} for our bank details, and give ${number} as the reference.`]),
        ];
  const width = WIDTH - 36;
  let y = drawLines(doc, ['How to pay'], PAGE.side + 18, top + 14, { width, type: 'H2', size: 11, font: 'bold' });
  y = drawLines(doc, lines, PAGE.side + 18, y + 3, { width });
  doc.font('regular').fontSize(9.5).fillColor(ACCENT);
  const web = 'See this invoice on the web';
  doc.tag('Link', () => doc.text(web, PAGE.side + 18, y + 4, { link: url, underline: true }), { alt: web });
  const height = doc.y + 14 - top;
  doc.roundedRect(PAGE.side, top, WIDTH, height, 8).lineWidth(1).strokeColor(RULE).stroke();
}
