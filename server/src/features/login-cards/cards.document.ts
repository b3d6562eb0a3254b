import PDFDocument from 'pdfkit';
import { type Fitted, fitText } from '../../pdf/fit-text.ts';
import { loadAndika } from '../../pdf/fonts.ts';
import type { Login } from './login-sheets.service.ts';

declare module '../../workers/worker-pool.ts' {
  interface WorkerTasks {
    drawCards: typeof drawCards;
  }
}

export interface CardsInput {
  logins: readonly Login[];
  product: string;
  /** Where children log in, as a sentence. */
  instruction: string;
  /** The day, as it is printed. */
  date: string;
}

/** All in points. Ten cards a page, cut along the lines. */
const PAGE = { width: 595.28, height: 841.89, side: 28, top: 58, bottom: 26 };
const COLUMNS = 2;
const ROWS = 5;
const CARD = {
  width: (PAGE.width - 2 * PAGE.side) / COLUMNS,
  height: (PAGE.height - PAGE.top - PAGE.bottom) / ROWS,
  pad: 14,
};
const NAME = { largest: 21, smallest: 7, height: 52 };
const INK = '#14213d';
const QUIET = '#4a5568';

type Doc = PDFKit.PDFDocument;

/** What is typed is drawn letter by letter: joined letters would be misread, and kerning them takes long. */
const LETTERS: PDFKit.Mixins.TextOptions = {
  lineBreak: false,
  features: {
    liga: false,
    clig: false,
    calt: false,
    ccmp: false,
    kern: false,
    mark: false,
    mkmk: false,
    rlig: false,
    locl: false,
  } as never,
};

/** Login cards by class, each class from a new page on. To be run in a worker. */
export async function drawCards({ logins, product, instruction, date }: CardsInput): Promise<Uint8Array> {
  const doc = new PDFDocument({
    size: 'A4',
    margin: 0,
    autoFirstPage: false,
    info: { Title: `${product} login cards`, Creator: product },
    lang: 'en-GB',
  });
  const chunks: Buffer[] = [];
  doc.on('data', (chunk: Buffer) => chunks.push(chunk));
  const finished = new Promise<void>((resolve) => doc.once('end', resolve));
  const { regular, bold } = loadAndika();
  doc.registerFont('regular', regular);
  doc.registerFont('bold', bold);
  const where = fitText(doc, 'regular', instruction, CARD.width - 2 * CARD.pad, 12, 9, 4);
  for (const [className, members] of partByClass(logins)) {
    const pages = Math.ceil(members.length / (COLUMNS * ROWS));
    for (let page = 0; page < pages; page += 1) {
      const onPage = members.slice(page * COLUMNS * ROWS, (page + 1) * COLUMNS * ROWS);
      doc.addPage();
      drawHead(doc, className, `${product} logins · ${date}${pages > 1 ? ` · page ${page + 1} of ${pages}` : ''}`);
      drawCuts(doc, Math.ceil(onPage.length / COLUMNS));
      for (const [index, login] of onPage.entries())
        drawCard(
          doc,
          login,
          where,
          PAGE.side + (index % COLUMNS) * CARD.width,
          PAGE.top + Math.floor(index / COLUMNS) * CARD.height,
        );
    }
  }
  doc.end();
  await finished;
  return new Uint8Array(Buffer.concat(chunks));
}

/** Classes by name, pupils without one last; pupils by name. */
function partByClass(logins: readonly Login[]): [string, Login[]][] {
  const { compare } = new Intl.Collator('en-GB', { numeric: true });
  const byClass = Map.groupBy(logins, (login) => login.class ?? '');
  return [...byClass]
    .sort(([a], [b]) => (a === '' ? 1 : b === '' ? -1 : compare(a, b)))
    .map(([name, members]) => [name || 'Without a class', [...members].sort((a, b) => compare(a.name, b.name))]);
}

function drawHead(doc: Doc, className: string, line: string): void {
  const width = PAGE.width - 2 * PAGE.side;
  const { size, lines } = fitText(doc, 'bold', className, width, 24, 18, 7);
  doc.font('bold').fontSize(size).fillColor(INK);
  lines.forEach((text, index) => doc.text(text, PAGE.side, 16 + index * size * 1.1, { lineBreak: false }));
  doc.font('regular').fontSize(9).fillColor(QUIET).text(line, PAGE.side, 41, { lineBreak: false });
}

function drawCuts(doc: Doc, rows: number): void {
  doc.save().lineWidth(0.6).strokeColor('#8794a8').dash(4, { space: 3 });
  for (let row = 0; row <= rows; row += 1)
    doc.moveTo(PAGE.side, PAGE.top + row * CARD.height).lineTo(PAGE.width - PAGE.side, PAGE.top + row * CARD.height);
  for (let column = 0; column <= COLUMNS; column += 1)
    doc
      .moveTo(PAGE.side + column * CARD.width, PAGE.top)
      .lineTo(PAGE.side + column * CARD.width, PAGE.top + rows * CARD.height);
  doc.stroke().restore();
}

function drawCard(doc: Doc, login: Login, where: Fitted, left: number, top: number): void {
  const width = CARD.width - 2 * CARD.pad;
  const x = left + CARD.pad;
  const { size, lines } = fitText(doc, 'bold', login.name, width, NAME.height, NAME.largest, NAME.smallest);
  doc.font('bold').fontSize(size).fillColor(INK);
  const from = top + 10 + (NAME.height - lines.length * size * 1.2) / 2;
  lines.forEach((line, index) => doc.text(line, x, from + index * size * 1.2, { lineBreak: false }));
  drawField(doc, 'Username', login.username, x, top + 66, width);
  drawField(doc, 'Password', login.password, x, top + 96, width);
  doc.font('regular').fontSize(where.size).fillColor(QUIET);
  where.lines.forEach((line, index) =>
    doc.text(line, x, top + CARD.height - 20 + index * where.size, { lineBreak: false }),
  );
}

function drawField(doc: Doc, label: string, value: string, x: number, y: number, width: number): void {
  doc
    .font('regular')
    .fontSize(9.5)
    .fillColor(QUIET)
    .text(label, x, y + 7, { lineBreak: false });
  const { size, lines } = fitText(doc, 'bold', value, width - 56, 26, 18, 6, LETTERS);
  doc
    .font('bold')
    .fontSize(size)
    .fillColor('#000000')
    .text(lines[0] ?? '', x + 56, y + (26 - size * 1.4) / 2, LETTERS);
}
