import type { CardSize } from '#contract/calls/login-cards.ts';
import { fitText } from '../../../pdf/fit-text.ts';
import { makeQrCode } from '../../../pdf/qr-code.ts';
import { type Doc, writePdf } from '../../../pdf/write-pdf.ts';
import { CARD_LAYOUTS, type CardLayout, PAGE, sizeOf } from './card-layouts.document.ts';
import { loginUrl } from './login-sheets.document.ts';
import type { Login } from './login-sheets.service.ts';

declare module '../../../workers/worker-pool.ts' {
  interface WorkerTasks {
    renderLoginCards: typeof renderLoginCards;
  }
}

export interface CardsInput {
  logins: readonly Login[];
  product: string;
  /** A sentence that tells children where to log in. */
  instruction: string;
  /** The day as printed. */
  date: string;
  size: CardSize;
  /** The URL of the reading app for the QR code; absent: no QR code. */
  appUrl: string | undefined;
}

const INK = '#14213d';
const QUIET = '#4a5568';

/** Disables ligatures, which children would misread, and kerning, which is slow. */
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

/** Login cards by class, each class on a new page. Runs in a worker. */
export async function renderLoginCards({
  logins,
  product,
  instruction,
  date,
  size,
  appUrl,
}: CardsInput): Promise<Uint8Array> {
  const layout = CARD_LAYOUTS[size];
  const { columns, rows } = layout;
  const card = sizeOf(layout);
  return writePdf({ title: `${product} login cards`, product }, (doc) => {
    for (const [className, members] of groupByClass(logins)) {
      const pages = Math.ceil(members.length / (columns * rows));
      for (let page = 0; page < pages; page += 1) {
        const onPage = members.slice(page * columns * rows, (page + 1) * columns * rows);
        doc.addPage();
        const line = `${product} logins · ${date}${pages > 1 ? ` · page ${page + 1} of ${pages}` : ''}`;
        if (page === 0) {
          doc.tag('H1', () => drawClassName(doc, className), { actual: className });
          doc.tag('P', () => drawLine(doc, line));
        } else {
          drawClassName(doc, className);
          drawLine(doc, line);
        }
        drawCuts(doc, layout, onPage.length);
        for (const [index, login] of onPage.entries()) {
          doc.save();
          doc.translate(
            PAGE.side + (index % columns) * card.width,
            PAGE.top + Math.floor(index / columns) * card.height,
          );
          doc.section('Sect', () => drawCard(doc, layout, login, { instruction, appUrl }));
          doc.restore();
        }
      }
    }
  });
}

/** Puts the logins of each class together, sorted by name, and pupils without a class last. */
function groupByClass(logins: readonly Login[]): [string, Login[]][] {
  const { compare } = new Intl.Collator('en-GB', { numeric: true });
  const byClass = Map.groupBy(logins, (login) => login.class ?? '');
  return [...byClass]
    .sort(([a], [b]) => (a === '' ? 1 : b === '' ? -1 : compare(a, b)))
    .map(([name, members]) => [name || 'Without a class', [...members].sort((a, b) => compare(a.name, b.name))]);
}

function drawClassName(doc: Doc, className: string): void {
  const width = PAGE.width - 2 * PAGE.side;
  const { size, lines } = fitText(doc, 'bold', className, width, 24, 18, 7);
  doc.font('bold').fontSize(size).fillColor(INK);
  lines.forEach((text, index) => doc.text(text, PAGE.side, 16 + index * size * 1.1, { lineBreak: false }));
}

function drawLine(doc: Doc, line: string): void {
  doc.font('regular').fontSize(9).fillColor(QUIET).text(line, PAGE.side, 41, { lineBreak: false });
}

/** Draws the lines along which cards are cut; a single card in a row has a line on its free side too. */
function drawCuts(doc: Doc, layout: CardLayout, cards: number): void {
  const { width, height } = sizeOf(layout);
  doc.save().lineWidth(0.6).strokeColor('#8794a8').dash(4, { space: 3 });
  for (let index = 0; index < cards; index += 1) {
    const left = PAGE.side + (index % layout.columns) * width;
    const top = PAGE.top + Math.floor(index / layout.columns) * height;
    // No line twice: two dashed lines on top of each other make a solid one.
    if (index < layout.columns) doc.moveTo(left, top).lineTo(left + width, top);
    if (index % layout.columns === 0) doc.moveTo(left, top).lineTo(left, top + height);
    doc.moveTo(left + width, top).lineTo(left + width, top + height);
    doc.moveTo(left, top + height).lineTo(left + width, top + height);
  }
  doc.stroke().restore();
}

function drawCard(
  doc: Doc,
  layout: CardLayout,
  login: Login,
  { instruction, appUrl }: Pick<CardsInput, 'instruction' | 'appUrl'>,
): void {
  const { name, hole, username, password, code } = layout;
  if (hole) {
    doc.lineWidth(0.6).strokeColor('#8794a8').dash(2, { space: 2 });
    doc
      .circle(sizeOf(layout).width / 2, hole.y, hole.radius)
      .stroke()
      .undash();
  }
  const width = appUrl ? name.width : Math.max(name.width, username.value.width);
  const { size, lines } = fitText(doc, 'bold', login.name, width, name.height, name.largest, 7);
  doc.font('bold').fontSize(size).fillColor(INK);
  const from = name.y + (name.height - lines.length * size * 1.2) / 2;
  const drawName = () =>
    lines.forEach((line, index) =>
      doc.text(line, name.x + (name.isCentred ? centre(doc, line, width) : 0), from + index * size * 1.2, {
        lineBreak: false,
      }),
    );
  doc.tag('H2', drawName, { actual: login.name });
  drawField(doc, 'Username', login.username, username);
  drawField(doc, 'Password', login.password, password);
  if (appUrl) {
    const alt = `QR code that opens the login of ${login.name}`;
    doc.tag('Figure', () => drawCode(doc, loginUrl(appUrl, login.username), code), { alt });
  }
  drawInstruction(doc, instruction, layout.instruction);
}

const centre = (doc: Doc, line: string, width: number) => (width - doc.widthOfString(line)) / 2;

function drawField(
  doc: Doc,
  name: string,
  text: string,
  { label, value, size: largest }: CardLayout['username'],
): void {
  const { size, lines } = fitText(doc, 'bold', text, value.width, largest * 1.45, largest, 6, LETTERS);
  doc.section('P', () => {
    doc.font('regular').fontSize(9.5).fillColor(QUIET);
    doc.tag('Span', () => doc.text(name, label.x, label.y, { lineBreak: false }), { actual: `${name}: ` });
    doc.font('bold').fontSize(size).fillColor('#000000');
    const from = value.y + (lines.length === 1 ? (largest - size) * 0.7 : 0);
    doc.tag('Span', () => lines.forEach((line, index) => doc.text(line, value.x, from + index * size * 1.2, LETTERS)));
  });
}

function drawCode(doc: Doc, address: string, { x, y, width }: CardLayout['code']): void {
  const { size, path } = makeQrCode(address);
  doc
    .save()
    .translate(x, y)
    .scale(width / size)
    .path(path)
    .fill('#000000')
    .restore();
}

function drawInstruction(
  doc: Doc,
  text: string,
  { x, y, width, size: largest, isCentred }: CardLayout['instruction'],
): void {
  const { size, lines } = fitText(doc, 'regular', text, width, largest * 1.3, largest, 4);
  doc.font('regular').fontSize(size).fillColor(QUIET);
  const draw = () =>
    lines.forEach((line, index) =>
      doc.text(line, x + (isCentred ? centre(doc, line, width) : 0), y + index * size, { lineBreak: false }),
    );
  doc.tag('P', draw, { actual: text });
}
