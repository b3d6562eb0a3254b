import { wordKey } from '#contract/words.ts';
import { fitText } from '../../../pdf/fit-text.ts';
import { A4, type Doc, INK, QUIET, writePdf } from '../../../pdf/write-pdf.ts';

declare module '../../../workers/worker-pool.ts' {
  interface WorkerTasks {
    renderWordSheet: typeof renderWordSheet;
  }
}

interface WordList {
  /** The class or the pupil. */
  name: string;
  words: readonly string[];
}

interface WordSheetInput {
  product: string;
  /** The date range, formatted. */
  days: string;
  lists: readonly WordList[];
  kind: 'sheet' | 'flashcards' | 'tick_list';
}

const PAGE = { left: 48, top: 48, bottom: 48 };
const WIDTH = A4.width - 2 * PAGE.left;
const LIST_TOP = PAGE.top + 62;
/** Three columns of words to read aloud. */
const SHEET = { columns: 3, row: 44 };
/** One word per row, with a box for each time it was read. */
const TICKS = { row: 32, boxes: 6, box: 18, gap: 26 };
/** Eight cards a page, to cut along the lines. */
const CARDS = { columns: 2, rows: 4 };
const LINE = '#8794a8';

/** Words to practise in Andika: for each list a sheet to read or to tick off, or cards to cut out. Runs in a worker. */
export const renderWordSheet = ({ product, days, lists, kind }: WordSheetInput): Promise<Uint8Array> =>
  writePdf({ title: 'Words to practise', product }, (doc) => {
    // One card for each word, however the pupils' books spell it.
    const cards = [...new Map(lists.flatMap(({ words }) => words).map((word) => [wordKey(word), word])).values()];
    if (kind === 'flashcards' && cards.length > 0) doc.section('L', () => drawCards(doc, cards));
    else
      for (const list of listsToPrint(lists)) {
        doc.addPage();
        doc.tag('H1', () => drawTitle(doc, list.name));
        doc.tag('P', () => drawDays(doc, days));
        if (list.words.length === 0) drawEmpty(doc);
        else doc.section('L', () => (kind === 'tick_list' ? drawTickList : drawSheet)(doc, list, days));
      }
  });

/** Pupils without words get no sheet, unless none of them has any. */
function listsToPrint(lists: readonly WordList[]): readonly WordList[] {
  const filled = lists.filter(({ words }) => words.length > 0);
  return filled.length > 0 ? filled : lists.slice(0, 1);
}

function drawTitle(doc: Doc, name: string): void {
  doc.font('bold').fontSize(20).fillColor(INK).text(`Words to practise: ${name}`, PAGE.left, PAGE.top, {
    width: WIDTH,
    height: 26,
    ellipsis: true,
  });
}

function drawDays(doc: Doc, days: string): void {
  doc
    .font('regular')
    .fontSize(11)
    .fillColor(QUIET)
    .text(days, PAGE.left, PAGE.top + 30, { lineBreak: false });
}

/** A page on which a list continues repeats its heading. */
function continueList(doc: Doc, name: string, days: string): void {
  doc.addPage();
  drawTitle(doc, name);
  drawDays(doc, days);
}

function drawEmpty(doc: Doc): void {
  doc.font('regular').fontSize(13).fillColor(INK);
  doc.tag('P', () => doc.text('No words to practise in these dates.', PAGE.left, LIST_TOP));
}

const countRows = (rowHeight: number): number => Math.floor((A4.height - PAGE.bottom - LIST_TOP) / rowHeight);

function drawWord(doc: Doc, word: string, x: number, y: number, width: number, height: number): void {
  const { size, lines } = fitText(doc, 'regular', word, width, height, 24, 9);
  doc.font('regular').fontSize(size).fillColor(INK);
  doc.item(() => doc.tag('P', () => doc.text(lines[0] ?? '', x, y, { lineBreak: false })));
}

function drawSheet(doc: Doc, { name, words }: WordList, days: string): void {
  const rows = countRows(SHEET.row);
  const width = WIDTH / SHEET.columns;
  for (const [index, word] of words.entries()) {
    const cell = index % (rows * SHEET.columns);
    if (cell === 0 && index > 0) continueList(doc, name, days);
    const x = PAGE.left + (cell % SHEET.columns) * width;
    const y = LIST_TOP + Math.floor(cell / SHEET.columns) * SHEET.row;
    drawWord(doc, word, x, y, width - 16, SHEET.row);
  }
}

function drawTickList(doc: Doc, { name, words }: WordList, days: string): void {
  const rows = countRows(TICKS.row);
  const boxesLeft = PAGE.left + WIDTH - TICKS.boxes * TICKS.gap;
  for (const [index, word] of words.entries()) {
    const row = index % rows;
    if (row === 0 && index > 0) continueList(doc, name, days);
    const y = LIST_TOP + row * TICKS.row;
    drawWord(doc, word, PAGE.left, y, boxesLeft - PAGE.left - 16, TICKS.row);
    for (let box = 0; box < TICKS.boxes; box += 1)
      doc
        .rect(boxesLeft + box * TICKS.gap, y + 5, TICKS.box, TICKS.box)
        .lineWidth(0.9)
        .stroke(QUIET);
  }
}

function drawCards(doc: Doc, words: readonly string[]): void {
  const [width, height] = [A4.width / CARDS.columns, A4.height / CARDS.rows];
  for (const [index, word] of words.entries()) {
    const cell = index % (CARDS.columns * CARDS.rows);
    if (cell === 0) {
      doc.addPage();
      drawCutLines(doc, width, height);
    }
    const { size, lines } = fitText(doc, 'bold', word, width - 40, height - 40, 60, 14);
    const left = (cell % CARDS.columns) * width;
    const top = Math.floor(cell / CARDS.columns) * height + (height - lines.length * size * 1.3) / 2;
    doc.font('bold').fontSize(size).fillColor(INK);
    const draw = () =>
      lines.forEach((line, row) =>
        doc.text(line, left, top + row * size * 1.3, { width, align: 'center', lineBreak: false }),
      );
    doc.item(() => doc.tag('P', draw, { actual: word }));
  }
}

function drawCutLines(doc: Doc, width: number, height: number): void {
  doc.save().lineWidth(0.6).strokeColor(LINE).dash(4, { space: 3 });
  for (let column = 1; column < CARDS.columns; column += 1)
    doc.moveTo(column * width, 0).lineTo(column * width, A4.height);
  for (let row = 1; row < CARDS.rows; row += 1) doc.moveTo(0, row * height).lineTo(A4.width, row * height);
  doc.stroke().restore();
}
