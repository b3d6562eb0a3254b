import { fitText } from '../../pdf/fit-text.ts';
import { A4, INK, QUIET, writePdf } from '../../pdf/write-pdf.ts';

declare module '../../workers/worker-pool.ts' {
  interface WorkerTasks {
    drawWordSheet: typeof drawWordSheet;
  }
}

interface WordSheetInput {
  product: string;
  /** Of the class: nobody else is named. */
  name: string;
  /** The days of the readings, in words. */
  days: string;
  words: readonly string[];
  kind: 'sheet' | 'flashcards';
}

type Doc = PDFKit.PDFDocument;

const PAGE = { left: 48, top: 48, bottom: 48 };
const WIDTH = A4.width - 2 * PAGE.left;
/** Three columns of words to read aloud. */
const SHEET = { columns: 3, row: 44, top: PAGE.top + 62 };
/** Eight cards a page, cut along the lines. */
const CARDS = { columns: 2, rows: 4 };

/** The words of a class in Andika: a sheet to read together, or cards to cut out. To be run in a worker. */
export const drawWordSheet = ({ product, name, days, words, kind }: WordSheetInput): Promise<Uint8Array> =>
  writePdf({ title: `Words of ${name}`, product }, (doc) => {
    if (words.length === 0) {
      drawHead(doc, name, days);
      doc.font('regular').fontSize(13).fillColor(INK);
      doc.text('No word was hard for three pupils or more in these days.', PAGE.left, SHEET.top);
    } else if (kind === 'sheet') drawSheet(doc, name, days, words);
    else drawCards(doc, words);
  });

function drawHead(doc: Doc, name: string, days: string): void {
  doc.addPage();
  doc.font('bold').fontSize(20).fillColor(INK).text(`Words of ${name}`, PAGE.left, PAGE.top, {
    width: WIDTH,
    height: 26,
    ellipsis: true,
  });
  doc
    .font('regular')
    .fontSize(11)
    .fillColor(QUIET)
    .text(days, PAGE.left, PAGE.top + 30, { lineBreak: false });
}

function drawSheet(doc: Doc, name: string, days: string, words: readonly string[]): void {
  const rows = Math.floor((A4.height - PAGE.bottom - SHEET.top) / SHEET.row);
  const width = WIDTH / SHEET.columns;
  for (const [index, word] of words.entries()) {
    const place = index % (rows * SHEET.columns);
    if (place === 0) drawHead(doc, name, days);
    const { size, lines } = fitText(doc, 'regular', word, width - 16, SHEET.row, 24, 9);
    const x = PAGE.left + (place % SHEET.columns) * width;
    const y = SHEET.top + Math.floor(place / SHEET.columns) * SHEET.row;
    doc.font('regular').fontSize(size).fillColor(INK);
    doc.text(lines[0] ?? '', x, y, { lineBreak: false });
  }
}

function drawCards(doc: Doc, words: readonly string[]): void {
  const [width, height] = [A4.width / CARDS.columns, A4.height / CARDS.rows];
  for (const [index, word] of words.entries()) {
    const place = index % (CARDS.columns * CARDS.rows);
    if (place === 0) {
      doc.addPage();
      drawCuts(doc, width, height);
    }
    const { size, lines } = fitText(doc, 'bold', word, width - 40, height - 40, 60, 14);
    const left = (place % CARDS.columns) * width;
    const top = Math.floor(place / CARDS.columns) * height + (height - lines.length * size * 1.3) / 2;
    doc.font('bold').fontSize(size).fillColor(INK);
    lines.forEach((line, row) =>
      doc.text(line, left, top + row * size * 1.3, { width, align: 'center', lineBreak: false }),
    );
  }
}

function drawCuts(doc: Doc, width: number, height: number): void {
  doc.save().lineWidth(0.6).strokeColor('#8794a8').dash(4, { space: 3 });
  for (let column = 1; column < CARDS.columns; column += 1)
    doc.moveTo(column * width, 0).lineTo(column * width, A4.height);
  for (let row = 1; row < CARDS.rows; row += 1) doc.moveTo(0, row * height).lineTo(A4.width, row * height);
  doc.stroke().restore();
}
