import { CERTIFICATES, type CertificateId } from '#contract/certificates.ts';
import { fitText } from '../../../pdf/fit-text.ts';
import { type Doc, writePdf } from '../../../pdf/write-pdf.ts';
import { EMBLEMS, PALETTES, type Palette, star } from './certificate-emblems.document.ts';

declare module '../../../workers/worker-pool.ts' {
  interface WorkerTasks {
    renderCertificates: typeof renderCertificates;
  }
}

/** The content of one certificate. */
export interface Award {
  /** The name of a pupil or a class. */
  name: string;
  /** The pupil's class, if any. */
  className: string | null;
  reason: string | null;
  /** The day as printed. */
  date: string;
  school: string;
}

interface CertificatesInput {
  certificate: CertificateId;
  product: string;
  /** One page each; without any, one page with fields to fill in. */
  awards: readonly Award[];
}

/** The landscape size of A4 in points. */
const PAGE = { width: 841.89, height: 595.28 };
const MIDDLE = PAGE.width / 2;
const LINE = { width: 560, left: MIDDLE - 280 };
const QUIET = '#4a5458';

/** Renders certificates on A4. Run it in a worker. */
export const renderCertificates = ({ certificate, product, awards }: CertificatesInput): Promise<Uint8Array> =>
  writePdf(
    { title: `${CERTIFICATES[certificate]} certificate`, product },
    (doc) => {
      if (awards.length === 0) {
        drawBackground(doc, certificate);
        drawFields(doc, certificate);
        drawFoot(doc, product);
      }
      for (const award of awards) {
        drawBackground(doc, certificate);
        drawAward(doc, PALETTES[certificate], award);
        drawFoot(doc, product, award.date);
      }
    },
    { size: [PAGE.width, PAGE.height] },
  );

function centred(doc: Doc, font: string, size: number, colour: string, text: string, y: number): void {
  doc.font(font).fontSize(size).fillColor(colour);
  doc.text(text, 0, y, { width: PAGE.width, align: 'center', lineBreak: false });
}

function drawBackground(doc: Doc, certificate: CertificateId): void {
  const palette = PALETTES[certificate];
  doc.addPage();
  doc.rect(0, 0, PAGE.width, PAGE.height).fill(palette.paper);
  doc.roundedRect(30, 30, PAGE.width - 60, PAGE.height - 60, 22).fill('#ffffff');
  doc
    .roundedRect(30, 30, PAGE.width - 60, PAGE.height - 60, 22)
    .lineWidth(5)
    .stroke(palette.strong);
  doc
    .roundedRect(42, 42, PAGE.width - 84, PAGE.height - 84, 14)
    .lineWidth(1.5)
    .stroke(palette.warm);
  drawConfetti(doc, palette);
  doc.save();
  EMBLEMS[certificate](doc, MIDDLE, 144, palette);
  doc.restore();
  doc.tag('P', () => centred(doc, 'regular', 15, QUIET, 'CERTIFICATE', 236), { actual: 'Certificate' });
  doc.tag('H1', () => centred(doc, 'bold', 46, palette.strong, CERTIFICATES[certificate], 250));
  doc.tag('P', () => centred(doc, 'regular', 16, QUIET, 'awarded to', 326));
}

/** The lines for the date and the signature. */
function drawFoot(doc: Doc, product: string, date?: string): void {
  for (const [left, label] of [
    [110, 'Date'],
    [PAGE.width - 330, 'Signed'],
  ] as const) {
    doc
      .moveTo(left, 508)
      .lineTo(left + 220, 508)
      .lineWidth(1)
      .stroke(QUIET);
    doc.font('regular').fontSize(11).fillColor(QUIET);
    const box = { width: 220, align: 'center', lineBreak: false } as const;
    doc.tag('P', () => doc.text(label, left, 512, box));
    if (label === 'Signed' || date === undefined) continue;
    doc.fontSize(14).fillColor('#1f272b');
    doc.tag('P', () => doc.text(date, left, 486, box));
  }
  doc.tag('P', () => centred(doc, 'regular', 10, QUIET, product, 530));
}

/** Stars and dots in the corners, in the same places on every page. */
function drawConfetti(doc: Doc, { strong, bright, warm }: Palette): void {
  const tones = [bright, warm, strong];
  const places: [x: number, y: number, size: number][] = [
    [78, 82, 13],
    [124, 66, 7],
    [70, 132, 8],
    [158, 96, 9],
    [108, 122, 6],
    [206, 70, 6],
    [76, 186, 5],
    [232, 112, 5],
  ];
  places.forEach(([x, y, size], index) => {
    for (const px of [x, PAGE.width - x]) {
      const tone = tones[index % 3] ?? strong;
      if (index % 2 === 0) star(doc, px, y, size, 5, 0.48, index * 0.4).fill(tone);
      else doc.circle(px, y, size * 0.55).fill(tone);
    }
  });
}

function drawAward(doc: Doc, palette: Palette, { name, className, reason, school }: Omit<Award, 'date'>): void {
  const { size, lines } = fitText(doc, 'bold', name, LINE.width, 62, 42, 9);
  doc.font('bold').fontSize(size).fillColor('#1f272b');
  const top = 352 + (62 - lines.length * size * 1.2) / 2;
  const drawName = () =>
    lines.forEach((line, index) =>
      doc.text(line, 0, top + index * size * 1.2, { width: PAGE.width, align: 'center', lineBreak: false }),
    );
  doc.tag('P', drawName, { actual: name });
  doc
    .moveTo(LINE.left, 420)
    .lineTo(LINE.left + LINE.width, 420)
    .lineWidth(1.5)
    .stroke(palette.warm);
  drawLine(doc, 'regular', [className, school].filter(Boolean).join(' · '), 426, 14, QUIET);
  if (reason) drawLine(doc, 'regular', reason, 450, 17, '#1f272b');
}

function drawLine(doc: Doc, font: string, text: string, y: number, largest: number, colour: string): void {
  const { size, lines } = fitText(doc, font, text, 620, largest * 2, largest, 8);
  // Two lines share the space of a large one.
  const draw = () =>
    lines.slice(0, 2).forEach((line, index) => centred(doc, font, size, colour, line, y + index * size * 1.15));
  doc.tag('P', draw, { actual: text });
}

/** Fields to type into; printed empty, they are lines to write on. */
function drawFields(doc: Doc, certificate: CertificateId): void {
  const { warm, strong } = PALETTES[certificate];
  doc
    .moveTo(LINE.left, 420)
    .lineTo(LINE.left + LINE.width, 420)
    .lineWidth(1.5)
    .stroke(warm);
  doc
    .moveTo(LINE.left, 470)
    .lineTo(LINE.left + LINE.width, 470)
    .lineWidth(1)
    .stroke(warm);
  // A typeface of the program that displays it: an embedded subset would lack letters that are typed later.
  doc.font('Helvetica-Bold');
  doc.initForm();
  const field = (
    name: string,
    label: string,
    left: number,
    top: number,
    width: number,
    height: number,
    fontSize: number,
  ) =>
    // `TU` describes the field for screen readers; the library has no option for it.
    doc.tag('Form', () => {
      doc.formText(name, left, top, width, height, { align: 'center', fontSize, color: strong, TU: new String(label) });
    });
  field('name', 'Name', LINE.left, 376, LINE.width, 42, 30);
  doc.tag('P', () => centred(doc, 'regular', 11, QUIET, 'for', 424));
  doc.font('Helvetica-Bold');
  field('reason', 'Reason', LINE.left, 442, LINE.width, 26, 15);
  field('date', 'Date', 110, 484, 220, 22, 13);
}
