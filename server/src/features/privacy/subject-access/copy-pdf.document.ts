import { A4, type Doc, INK, QUIET, writePdf } from '../../../pdf/write-pdf.ts';
import type { CopyChart, CopyPage, CopyQuote, CopySection, CopyTable } from './copy-page.document.ts';

declare module '../../../workers/worker-pool.ts' {
  interface WorkerTasks {
    renderCopy: typeof renderCopy;
  }
}

const LEFT = 56;
const TOP = 56;
const BOTTOM = A4.height - 64;
const WIDTH = A4.width - 2 * LEFT;
const LINE = '#c9c4b8';
const BAR = '#0c5160';
const CELL_GAP = 8;
/** Below this a heading and the first texts after it do not fit. */
const MIN_SECTION = 110;

/** The page as a PDF. Runs in a worker. */
export const renderCopy = (page: CopyPage): Promise<Uint8Array> =>
  writePdf(
    { title: page.title, product: page.product },
    (doc) => {
      heading(doc, 'H1', page.title, 22);
      paragraph(doc, page.subtitle, { colour: QUIET, gap: 14 });
      for (const text of page.summary) paragraph(doc, text, { size: 12, gap: 8 });
      if (page.chart) drawChart(doc, page.chart);
      doc.y += 12;
      heading(doc, 'H2', 'About this copy', 14);
      for (const text of page.about) paragraph(doc, text);
      if (page.sections.length > 0) doc.addPage();
      page.sections.forEach((section, index) => drawSection(doc, section, index > 0));
      numberPages(doc, page.title);
    },
    {
      margins: { top: TOP, bottom: A4.height - BOTTOM, left: LEFT, right: LEFT },
      autoFirstPage: true,
      bufferPages: true,
    },
  );

function heading(doc: Doc, tag: 'H1' | 'H2' | 'H3', text: string, size: number): void {
  doc.font('bold').fontSize(size).fillColor(INK);
  doc.tag(tag, () => doc.text(text, LEFT, doc.y, { width: WIDTH }));
  doc.y += size / 3;
}

function paragraph(doc: Doc, text: string, { size = 10.5, colour = INK, gap = 6, indent = 0 } = {}): void {
  doc.font('regular').fontSize(size).fillColor(colour);
  doc.tag('P', () => doc.text(text, LEFT + indent, doc.y, { width: WIDTH - indent }));
  doc.y += gap;
}

/** Continues on the next page if this height does not fit on the current one. Returns whether it did not. */
function keepTogether(doc: Doc, height: number): boolean {
  if (doc.y + height <= BOTTOM || doc.y <= TOP) return false;
  doc.addPage();
  return true;
}

function drawSection(doc: Doc, { title, sentences, tables, quotes }: CopySection, hasGap: boolean): void {
  const [first] = tables;
  if (!keepTogether(doc, first ? 60 + 20 * sentences.length + heightToBegin(doc, first) : MIN_SECTION) && hasGap)
    doc.y += 18;
  doc.outline.addItem(title);
  heading(doc, 'H2', title, 14);
  for (const text of sentences) paragraph(doc, text);
  for (const table of tables) drawTable(doc, table);
  for (const quote of quotes) drawQuote(doc, quote);
}

/** A text with a line at its side, where it fits on one page. */
function drawQuote(doc: Doc, { text, source }: CopyQuote): void {
  doc.font('regular').fontSize(10.5);
  keepTogether(doc, Math.min(doc.heightOfString(text, { width: WIDTH - 12 }) + 20, BOTTOM - TOP));
  const [top, page] = [doc.y, doc.page];
  paragraph(doc, text, { indent: 12, gap: 1 });
  paragraph(doc, source, { size: 9, colour: QUIET, indent: 12, gap: 0 });
  if (doc.page === page)
    doc
      .moveTo(LEFT + 2, top)
      .lineTo(LEFT + 2, doc.y)
      .lineWidth(2)
      .stroke(LINE);
  doc.y += 10;
}

const ROW = { size: 9.5, padding: 3 };
/** A table up to this height does not continue on a further page. */
const MAX_UNBROKEN = 330;

/** The widths of the columns, and the height of a row with these cells. */
function layOut(doc: Doc, { columns }: CopyTable) {
  const share = (WIDTH + CELL_GAP) / columns.reduce((sum, { width }) => sum + width, 0);
  const widths = columns.map(({ width }) => width * share - CELL_GAP);
  const heightOf = (cells: readonly string[], size: number) =>
    Math.max(
      ...cells.map((cell, index) => doc.fontSize(size).heightOfString(cell || ' ', { width: widths[index] ?? 0 })),
    ) +
    2 * ROW.padding;
  return { widths, heightOf };
}

/** The height that a table needs on a page to begin there. */
function heightToBegin(doc: Doc, table: CopyTable): number {
  const { heightOf } = layOut(doc, table);
  doc.font('regular');
  const rows = [...table.rows, ...(table.total ? [table.total] : [])];
  const height = rows.reduce((sum, row) => sum + heightOf(row, ROW.size), 50);
  return height <= MAX_UNBROKEN ? height : 100;
}

function drawTable(doc: Doc, table: CopyTable): void {
  const { caption, columns, rows, total, note } = table;
  const { widths, heightOf } = layOut(doc, table);
  /** A head that is repeated on a further page has no tags. */
  const drawRow = (cells: readonly string[], kind: 'head' | 'body' | 'total', isTagged = true) => {
    const size = kind === 'head' ? 8.5 : ROW.size;
    doc.font(kind === 'total' ? 'bold' : 'regular');
    const height = heightOf(cells, size);
    if (kind !== 'head' && keepTogether(doc, height)) {
      if (hasHead) drawRow(names, 'head', false);
      doc.font(kind === 'total' ? 'bold' : 'regular');
    }
    const top = doc.y;
    const draw = (cell: string, index: number) => {
      const x = LEFT + widths.slice(0, index).reduce((sum, width) => sum + width + CELL_GAP, 0);
      const write = () =>
        doc
          .fontSize(size)
          .fillColor(kind === 'head' ? QUIET : INK)
          .text(cell, x, top + ROW.padding, {
            width: widths[index] ?? 0,
            height: height - ROW.padding,
            align: columns[index]?.isNumber ? 'right' : 'left',
          });
      if (!isTagged) write();
      else if (kind === 'head') doc.tag('TH', write, { scope: 'Column' });
      else if (index === 0) doc.tag('TH', write, { scope: 'Row' });
      else doc.tag('TD', write);
    };
    if (isTagged) doc.section('TR', () => cells.forEach(draw));
    else cells.forEach(draw);
    doc.y = top + height;
    doc
      .moveTo(LEFT, doc.y)
      .lineTo(LEFT + WIDTH, doc.y)
      .lineWidth(kind === 'body' ? 0.4 : 0.8)
      .stroke(LINE);
  };
  const names = columns.map(({ name }) => name);
  const hasHead = names.some((name) => name !== '');
  keepTogether(doc, heightToBegin(doc, table));
  doc.y += 4;
  if (caption !== undefined) {
    doc.font('bold').fontSize(10.5).fillColor(INK);
    doc.tag('H3', () => doc.text(caption, LEFT, doc.y, { width: WIDTH }));
    doc.y += 2;
  }
  doc.section('Table', () => {
    if (hasHead) drawRow(names, 'head');
    for (const row of rows) drawRow(row, 'body');
    if (total) drawRow(total, 'total');
  });
  doc.y += 6;
  if (note) paragraph(doc, note, { size: 9, colour: QUIET });
}

const CHART = { label: 96, value: 104, bar: 15, thickness: 9 };

/** Horizontal bars with their values, as a figure whose alternative text lists them. */
function drawChart(doc: Doc, { title, bars }: CopyChart): void {
  doc.y += 6;
  heading(doc, 'H2', title, 12);
  const top = doc.y;
  const most = Math.max(1, ...bars.map(({ value }) => value));
  const room = WIDTH - CHART.label - CHART.value;
  const draw = () => {
    doc.font('regular').fontSize(9.5);
    bars.forEach(({ label, value, text }, index) => {
      const y = top + index * CHART.bar;
      const width = (room * value) / most;
      doc.fillColor(INK).text(label, LEFT, y, { lineBreak: false });
      if (width > 0) doc.rect(LEFT + CHART.label, y + 3, width, CHART.thickness).fill(BAR);
      doc.fillColor(QUIET).text(text, LEFT + CHART.label + width + 6, y, { lineBreak: false });
    });
  };
  const bottom = top + bars.length * CHART.bar;
  doc.tag('Figure', draw, {
    alt: `Chart. ${bars.map(({ label, text }) => `${label}: ${text}`).join('; ')}.`,
    bbox: [LEFT, top, LEFT + WIDTH, bottom],
  });
  doc.y = bottom + 4;
}

function numberPages(doc: Doc, title: string): void {
  const { count } = doc.bufferedPageRange();
  for (let page = 0; page < count; page += 1) {
    doc.switchToPage(page);
    // Below the margin, where text would otherwise start a new page.
    doc.page.margins.bottom = 0;
    doc.font('regular').fontSize(8.5).fillColor(QUIET);
    doc.text(`${title} · page ${page + 1} of ${count}`, LEFT, A4.height - 44, { width: WIDTH, lineBreak: false });
  }
}
