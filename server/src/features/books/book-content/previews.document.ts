import { type Doc, writePdf } from '../../../pdf/write-pdf.ts';
import { needsDarkInk } from './covers.document.ts';
import { composeScene, type Drawing, PICTURE, sceneOf, scenePage, type Scene, type Shape } from './pictures.service.ts';

declare module '../../../workers/worker-pool.ts' {
  interface WorkerTasks {
    renderPreview: typeof renderPreview;
  }
}

interface PreviewInput {
  id: number;
  title: string;
  level: number;
  /** The text of each page. */
  pages: readonly string[];
}

/** In points. A page has its picture at the top and its words below. */
const PAGE = { width: 420, height: 560 };
const SCALE = PAGE.width / PICTURE.width;
/** The height of the picture and the smallest font size. The second applies if the first leaves too little room. */
const LAYOUTS = [
  { picture: 340, smallest: 14 },
  { picture: 196, smallest: 9 },
] as const;
const WORDS = { left: 34, width: 352, largest: 27, gap: 22, foot: 40 };
const TITLE = { left: 34, width: 352, top: 36, height: 150, largest: 52, smallest: 20 };
const PAPER = '#fffdf6';
const INK = '#1d2b3a';
const QUIET = '#5f6468';

function drawShape(doc: Doc, { tag, attributes }: Shape): void {
  const number = (name: string) => Number(attributes[name] ?? 0);
  const paint = () => {
    if (tag === 'path') doc.path(attributes.d ?? '');
    else if (tag === 'circle') doc.circle(number('cx'), number('cy'), number('r'));
    else if (tag === 'ellipse') doc.ellipse(number('cx'), number('cy'), number('rx'), number('ry'));
    else if (number('rx') > 0)
      doc.roundedRect(number('x'), number('y'), number('width'), number('height'), number('rx'));
    else doc.rect(number('x'), number('y'), number('width'), number('height'));
  };
  doc.save().opacity(attributes.opacity === undefined ? 1 : number('opacity'));
  const { fill, stroke } = attributes;
  if (fill && fill !== 'none') {
    paint();
    doc.fill(fill);
  }
  if (stroke) {
    paint();
    doc.lineWidth(number('stroke-width')).stroke(stroke);
  }
  doc.restore();
}

function drawDrawing(doc: Doc, { shapes, x, y, scale, mirrored }: Drawing): void {
  doc.save().translate(mirrored ? x + 100 * scale : x, y);
  doc.scale(mirrored ? -scale : scale, scale);
  for (const shape of shapes) drawShape(doc, shape);
  doc.restore();
}

/** Draws a scene across the width of the page, from `top` of the picture downwards. */
function drawScene(doc: Doc, scene: Scene, top: number, height: number): void {
  doc.save().rect(0, 0, PAGE.width, height).clip();
  doc.scale(SCALE).translate(0, -top);
  for (const drawing of composeScene(scene)) drawDrawing(doc, drawing);
  doc.restore();
}

interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
  largest: number;
  smallest: number;
}

/** The largest font size at which words fit into their box, or a size below its smallest. */
function sizeOf(doc: Doc, words: string, box: Box, lineGap: number): number {
  let size = box.largest;
  const fits = () => doc.fontSize(size).heightOfString(words, { lineGap, width: box.width }) <= box.height;
  while (size >= box.smallest && !fits()) size -= 1;
  return size;
}

function drawWords(doc: Doc, words: string, box: Box, lineGap: number): void {
  const size = Math.max(box.smallest, sizeOf(doc, words, box, lineGap));
  const { left, top, width, height } = box;
  doc.fontSize(size).text(words, left, top, { lineGap, width, height });
}

/** Renders a page of a book, with its picture as large as its words allow. */
function writePage(
  doc: Doc,
  cover: Scene,
  { text, level, index }: { text: string; level: number; index: number },
): void {
  const lineGap = level <= 2 ? 4 : 1;
  doc.addPage();
  doc.font('regular');
  const layouts = LAYOUTS.map(({ picture, smallest }) => {
    const top = picture + WORDS.gap;
    const { left, width, largest } = WORDS;
    return { picture, box: { left, width, largest, smallest, top, height: PAGE.height - WORDS.foot - top } };
  });
  const { picture, box } =
    layouts.find((layout) => sizeOf(doc, text, layout.box, lineGap) >= layout.box.smallest) ?? layouts[1]!;
  doc.rect(0, 0, PAGE.width, PAGE.height).fill(PAPER);
  const shown = picture / SCALE;
  drawScene(doc, scenePage(cover, text, index, shown), PICTURE.height - shown, picture);
  doc.fillColor(INK);
  doc.tag('P', () => drawWords(doc, text, box, lineGap));
  doc.fontSize(11).fillColor(QUIET);
  doc.text(String(index + 1), 0, PAGE.height - 26, { width: PAGE.width, align: 'center' });
}

/** A book with its cover and all its pages, each with a picture. Runs in a worker. */
export const renderPreview = ({ id, title, level, pages }: PreviewInput): Promise<Uint8Array> =>
  writePdf(
    { title },
    (doc) => {
      const cover = sceneOf(id);
      doc.addPage();
      drawScene(doc, cover, 0, PAGE.height);
      doc.font('bold').fillColor(needsDarkInk(cover.sky) ? INK : PAPER);
      doc.tag('H1', () => drawWords(doc, title, TITLE, -6));
      pages.forEach((text, index) => writePage(doc, cover, { text, level, index }));
    },
    // The same book always gives the same file.
    { size: [PAGE.width, PAGE.height], info: { CreationDate: new Date(0), ModDate: new Date(0) } },
  );
