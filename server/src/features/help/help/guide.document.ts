import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type GuideItem, PICTURES, readHelp } from '#content/help/read-help.ts';
import { type Block, type Inline, plainText } from '#content/read-markdown.ts';
import { type Doc, writePdf } from '../../../pdf/write-pdf.ts';

declare module '../../../workers/worker-pool.ts' {
  interface WorkerTasks {
    renderGuide: typeof renderGuide;
  }
}

/** A4 in points. */
const PAGE = { width: 595.28, height: 841.89, side: 64, top: 64, bottom: 70 };
const WIDTH = PAGE.width - 2 * PAGE.side;
const INK = '#1f272b';
const QUIET = '#565d61';
const STRONG = '#0c5160';
const PAPER = '#faf8f4';
const BODY = { size: 11, gap: 3 };
/** The menu icon, which the font lacks. */
const MENU_SIGN = '⋯';

/** Renders the user guide with contents and page numbers. Run it in a worker. */
export const renderGuide = ({ product }: { product: string }): Promise<Uint8Array> =>
  writePdf({ title: `${product} user guide`, product }, (doc) => drawPages(doc, product), {
    margins: { top: PAGE.top, bottom: PAGE.bottom, left: PAGE.side, right: PAGE.side },
    bufferPages: true,
    autoFirstPage: true,
  });

function drawPages(doc: Doc, product: string): void {
  const fillIn = (text: string) => text.replaceAll('{product}', product);
  const tabs = readHelp().tabs.map((tab) => ({ ...tab, title: fillIn(tab.title) }));
  drawCover(doc, product);
  doc.addPage();
  const contents = doc.section('Sect');
  const entries: Entry[] = [];
  for (const tab of tabs) {
    entries.push({ title: tab.title, page: 0, target: null });
    doc.addPage();
    const chapter = doc.outline.addItem(tab.title);
    for (const item of tab.items) {
      beginSection(doc);
      const target = `/userguide/${tab.id}/${item.id}`;
      entries.push({ title: fillIn(item.title), page: doc.bufferedPageRange().count, target });
      doc.addNamedDestination(target, 'XYZ', 0, doc.y, null);
      chapter.addItem(fillIn(item.title));
      drawSection(doc, tab.title, item, fillIn);
    }
  }
  doc.addTo(contents, () => drawContents(doc, entries));
  numberPages(doc, product);
}

interface Entry {
  title: string;
  /** From 1, including the cover. */
  page: number;
  /** Null for the name of a part. */
  target: string | null;
}

function drawCover(doc: Doc, product: string): void {
  doc.rect(0, 0, PAGE.width, PAGE.height).fill(PAPER);
  doc.rect(0, 0, PAGE.width, 12).fill(STRONG);
  drawShelf(doc, PAGE.side, 250);
  doc.font('bold').fontSize(20).fillColor(STRONG);
  doc.tag('P', () => doc.text(product, PAGE.side, 330));
  doc.fontSize(44).fillColor(INK);
  doc.tag('H1', () => doc.text('User guide', { lineGap: -6 }));
  doc.moveDown(0.4).font('regular').fontSize(15).fillColor(QUIET);
  doc.tag('P', () =>
    doc.text('For teachers and administrators: getting your school online, and everything after.', { width: 340 }),
  );
}

/** A row of books, one of them leaning. */
function drawShelf(doc: Doc, x: number, y: number): void {
  const books: [width: number, height: number, tone: string][] = [
    [26, 96, '#0c5160'],
    [20, 78, '#e76f52'],
    [30, 108, '#3f9fb0'],
    [18, 86, '#f2b84b'],
    [26, 100, '#6e48e0'],
  ];
  let left = x;
  for (const [width, height, tone] of books) {
    doc.roundedRect(left, y - height, width, height, 3).fill(tone);
    doc.rect(left + 5, y - height + 12, width - 10, 4).fill('#ffffff');
    doc.rect(left + 5, y - 20, width - 10, 4).fill('#ffffff');
    left += width + 4;
  }
  doc.save().rotate(-18, { origin: [left + 14, y] });
  doc.roundedRect(left + 14, y - 90, 24, 90, 3).fill('#2f8f5b');
  doc.rect(left + 19, y - 78, 14, 4).fill('#ffffff');
  doc.restore();
  doc.rect(x - 6, y, 250, 5).fill(INK);
}

/** A section needs this much space at the foot of a page to begin there. */
const MIN_SECTION_HEIGHT = 220;

/** Continues below the previous section, or on the next page. */
function beginSection(doc: Doc): void {
  if (doc.y === PAGE.top) return;
  doc.x = PAGE.side;
  doc.y += 36;
  keepTogether(doc, MIN_SECTION_HEIGHT);
}

function drawSection(doc: Doc, part: string, { title, blocks }: GuideItem, fillIn: (text: string) => string): void {
  doc.font('regular').fontSize(10).fillColor(QUIET);
  doc.tag('P', () => doc.text(part, PAGE.side));
  doc.font('bold').fontSize(24).fillColor(STRONG);
  doc.tag('H2', () => doc.text(fillIn(title), { lineGap: -4 }));
  doc.moveDown(0.5);
  for (const block of blocks) drawBlock(doc, block, fillIn);
}

/** Continues on the next page if this height does not fit on the current one. */
function keepTogether(doc: Doc, height: number): void {
  if (doc.y + height > PAGE.height - PAGE.bottom && doc.y > PAGE.top) doc.addPage();
}

function drawBlock(doc: Doc, block: Block, fillIn: (text: string) => string): void {
  if (block.kind === 'heading') {
    keepTogether(doc, 90);
    doc.moveDown(0.6).font('bold').fontSize(15).fillColor(INK);
    doc.tag('H3', () => doc.text(fillIn(block.text), PAGE.side));
    doc.moveDown(0.2);
  } else if (block.kind === 'list') {
    doc.section('L', () =>
      block.items.forEach((item, index) => {
        doc.section('LI', () => drawItem(doc, item, block.isOrdered ? `${index + 1}.` : '•', fillIn));
      }),
    );
    doc.moveDown(0.3);
  } else if (block.kind === 'picture') drawPicture(doc, block.name, fillIn(block.alt));
  else if (block.kind === 'note') drawNote(doc, block.text, fillIn);
  else {
    keepTogether(doc, heightOf(doc, block.text, WIDTH));
    drawLine(doc, block.text, PAGE.side, doc.y, WIDTH, fillIn);
    doc.moveDown(0.55);
  }
}

function drawItem(doc: Doc, item: readonly Inline[], label: string, fillIn: (text: string) => string): void {
  const [left, width] = [PAGE.side + 22, WIDTH - 22];
  keepTogether(doc, heightOf(doc, item, width));
  const top = doc.y;
  doc.font('bold').fontSize(BODY.size).fillColor(STRONG);
  doc.tag('Lbl', () => doc.text(label, PAGE.side + 4, top, { lineBreak: false }));
  doc.section('LBody', () => drawLine(doc, item, left, top, width, fillIn));
  doc.moveDown(0.25);
}

function heightOf(doc: Doc, text: readonly Inline[], width: number): number {
  // Bold is wider than regular, so the height is never underestimated.
  return doc.font('bold').fontSize(BODY.size).heightOfString(plainText(text), { width, lineGap: BODY.gap });
}

function drawLine(
  doc: Doc,
  text: readonly Inline[],
  left: number,
  top: number,
  width: number,
  fillIn: (text: string) => string,
): void {
  doc.fontSize(BODY.size);
  const drawPart = (part: Inline, index: number) => {
    const isLink = typeof part === 'object' && 'link' in part;
    const target = isLink && part.link.startsWith('/userguide/') ? part.link : null;
    doc.font(typeof part === 'object' && !isLink ? 'bold' : 'regular').fillColor(target ? STRONG : INK);
    const options: PDFKit.Mixins.TextOptions = {
      width,
      lineGap: BODY.gap,
      continued: index < text.length - 1,
      // Applies to each run of text: continued text keeps the options of the run before it.
      goTo: target as string,
      underline: target !== null,
    };
    const words = fillIn(plainText([part])).replaceAll(MENU_SIGN, '···');
    const draw = () => (index === 0 ? doc.text(words, left, top, options) : doc.text(words, options));
    if (target) doc.tag('Link', draw, { alt: words });
    else doc.tag('Span', draw);
  };
  doc.section('P', () => text.forEach(drawPart));
}

function drawNote(doc: Doc, text: readonly Inline[], fillIn: (text: string) => string): void {
  const width = WIDTH - 34;
  const height = heightOf(doc, text, width) + 18;
  keepTogether(doc, height + 8);
  const top = doc.y + 6;
  doc.rect(PAGE.side, top, WIDTH, height).fill('#fdf0ec');
  doc.rect(PAGE.side, top, 4, height).fill('#e76f52');
  drawLine(doc, text, PAGE.side + 18, top + 9, width, fillIn);
  doc.x = PAGE.side;
  doc.y = top + height + 8;
}

function drawPicture(doc: Doc, name: string, alt: string): void {
  const path = join(PICTURES, name);
  if (!existsSync(path)) return;
  const { width, height } = (
    doc as unknown as { openImage(path: string): { width: number; height: number } }
  ).openImage(path);
  const scale = Math.min(WIDTH / width, 300 / height);
  const size = { width: width * scale, height: height * scale };
  keepTogether(doc, size.height + 16);
  const top = doc.y + 4;
  const bbox = [PAGE.side, top, PAGE.side + size.width, top + size.height] as [number, number, number, number];
  doc.tag('Figure', () => doc.image(path, PAGE.side, top, size), { alt, bbox });
  doc.rect(PAGE.side, top, size.width, size.height).lineWidth(0.7).stroke('#d6d0c4');
  doc.x = PAGE.side;
  doc.y = top + size.height + 12;
}

/** On the second page, which is reserved for it. */
function drawContents(doc: Doc, entries: readonly Entry[]): void {
  doc.switchToPage(1);
  doc.font('bold').fontSize(24).fillColor(STRONG);
  doc.tag('H2', () => doc.text('Contents', PAGE.side, PAGE.top));
  doc.moveDown(0.4);
  doc.section('TOC', () => entries.forEach((entry) => doc.section('TOCI', () => drawEntry(doc, entry))));
}

function drawEntry(doc: Doc, { title, page, target }: Entry): void {
  if (!target) {
    doc.moveDown(0.7).font('bold').fontSize(13).fillColor(INK);
    doc.tag('Span', () => doc.text(title, PAGE.side));
    doc.moveDown(0.2);
    return;
  }
  const top = doc.y;
  doc.font('regular').fontSize(12).fillColor(INK);
  const end = PAGE.side + doc.widthOfString(title) + 8;
  const drawTexts = () => {
    doc.text(title, PAGE.side, top, { goTo: target, lineBreak: false });
    doc.text(String(page), PAGE.side, top, { width: WIDTH, align: 'right', goTo: target });
  };
  doc.tag('Link', drawTexts, { alt: `${title}, page ${page}` });
  doc
    .save()
    .dash(1, { space: 4 })
    .lineWidth(0.8)
    .moveTo(end, top + 14)
    .lineTo(PAGE.width - PAGE.side - 24, top + 14);
  doc.stroke(QUIET).restore();
  doc.moveDown(0.25);
}

function numberPages(doc: Doc, product: string): void {
  const { count } = doc.bufferedPageRange();
  for (let page = 1; page < count; page += 1) {
    doc.switchToPage(page);
    // Below the margin, where text would otherwise start a new page.
    doc.page.margins.bottom = 0;
    const top = PAGE.height - 46;
    doc.font('regular').fontSize(9).fillColor(QUIET);
    doc.text(`${product} user guide`, PAGE.side, top, { lineBreak: false });
    doc.text(`${page + 1}`, PAGE.side, top, { width: WIDTH, align: 'right', lineBreak: false });
  }
}
