import type { PupilInNeed } from '#contract/calls/reading-needs.ts';
import { A4, INK, QUIET, writePdf } from '../../pdf/write-pdf.ts';

declare module '../../workers/worker-pool.ts' {
  interface WorkerTasks {
    drawNeedsList: typeof drawNeedsList;
  }
}

interface NeedsListInput {
  product: string;
  /** Of the class or of the school. */
  name: string;
  /** The day, as it is printed. */
  date: string;
  pupils: readonly PupilInNeed[];
}

type Doc = PDFKit.PDFDocument;

const PAGE = { left: 48, top: 48, bottom: 60 };
const WIDTH = A4.width - 2 * PAGE.left;
const TEXT = { left: PAGE.left + 30, width: WIDTH - 30 };

/** A list to take along: a box to tick, the pupil, and each reason on a line of its own. To be run in a worker. */
export const drawNeedsList = ({ product, name, date, pupils }: NeedsListInput): Promise<Uint8Array> =>
  writePdf({ title: `Who needs me: ${name}`, product }, (doc) => {
    let y = beginPage(doc, name, date);
    if (pupils.length === 0)
      doc
        .font('regular')
        .fontSize(13)
        .fillColor(INK)
        .text('Nobody needs anything in particular today.', PAGE.left, y + 12);
    for (const pupil of pupils) {
      const height = heightOf(doc, pupil);
      if (y + height > A4.height - PAGE.bottom) y = beginPage(doc, name, date);
      drawPupil(doc, pupil, y);
      y += height;
    }
  });

/** Answers where the first row begins. */
function beginPage(doc: Doc, name: string, date: string): number {
  doc.addPage();
  doc.font('bold').fontSize(20).fillColor(INK).text('Who needs me', PAGE.left, PAGE.top, { lineBreak: false });
  doc
    .font('regular')
    .fontSize(11)
    .fillColor(QUIET)
    .text(`${name} · ${date}`, PAGE.left, PAGE.top + 28, { width: WIDTH, height: 15, ellipsis: true });
  return PAGE.top + 56;
}

const headOf = ({ name, group: schoolClass }: PupilInNeed): string =>
  schoolClass ? `${name} · ${schoolClass.name}` : name;

function heightOf(doc: Doc, pupil: PupilInNeed): number {
  const head = doc.font('bold').fontSize(12).heightOfString(headOf(pupil), { width: TEXT.width });
  doc.font('regular').fontSize(11);
  return pupil.needs.reduce((sum, { reason }) => sum + doc.heightOfString(reason, { width: TEXT.width }), head) + 16;
}

function drawPupil(doc: Doc, pupil: PupilInNeed, top: number): void {
  doc
    .moveTo(PAGE.left, top)
    .lineTo(PAGE.left + WIDTH, top)
    .lineWidth(0.6)
    .stroke('#c9c4b8');
  doc
    .rect(PAGE.left + 4, top + 10, 13, 13)
    .lineWidth(0.9)
    .stroke(QUIET);
  doc
    .font('bold')
    .fontSize(12)
    .fillColor(INK)
    .text(headOf(pupil), TEXT.left, top + 7, { width: TEXT.width });
  doc.font('regular').fontSize(11);
  for (const { reason } of pupil.needs) doc.text(reason, { width: TEXT.width });
}
