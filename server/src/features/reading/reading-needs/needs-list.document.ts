import type { PupilWithNeeds } from '#contract/calls/reading-needs.ts';
import { triedSentence } from './need-sentences.service.ts';
import { A4, type Doc, INK, QUIET, writePdf } from '../../../pdf/write-pdf.ts';

declare module '../../../workers/worker-pool.ts' {
  interface WorkerTasks {
    renderNeedsList: typeof renderNeedsList;
  }
}

interface NeedsListInput {
  product: string;
  /** The class or the school. */
  name: string;
  /** The day, formatted. */
  date: string;
  pupils: readonly PupilWithNeeds[];
}

const PAGE = { left: 48, top: 48, bottom: 60 };
const WIDTH = A4.width - 2 * PAGE.left;
const LIST_TOP = PAGE.top + 56;
const TEXT = { left: PAGE.left + 30, width: WIDTH - 30 };

/** A printed checklist: a box to tick, the pupil, and each reason on its own line. Runs in a worker. */
export const renderNeedsList = ({ product, name, date, pupils }: NeedsListInput): Promise<Uint8Array> =>
  writePdf({ title: `Who needs me: ${name}`, product }, (doc) => {
    doc.addPage();
    doc.tag('H1', () => drawTitle(doc));
    doc.tag('P', () => drawSubtitle(doc, name, date));
    let y = LIST_TOP;
    if (pupils.length === 0)
      doc.tag('P', () => {
        doc.font('regular').fontSize(13).fillColor(INK);
        doc.text('No one needs anything in particular today.', PAGE.left, y + 12);
      });
    const texts = pupils.map((pupil) => measureText(doc, pupil));
    const space = chooseSpace(texts, y);
    doc.section('L', () => {
      for (const [index, pupil] of pupils.entries()) {
        const height = (texts[index] ?? 0) + space;
        if (y + height > A4.height - PAGE.bottom) {
          doc.addPage();
          drawTitle(doc);
          drawSubtitle(doc, name, date);
          y = LIST_TOP;
        }
        drawPupil(doc, pupil, y, space);
        y += height;
      }
    });
  });

/** Space around the text of a pupil, the widest first. */
const SPACES = [16, 12, 8] as const;

/** The number of pages that rows of these heights fill. */
function countPages(heights: readonly number[], top: number): number {
  let [pages, y] = [1, top];
  for (const height of heights) {
    if (y + height > A4.height - PAGE.bottom) [pages, y] = [pages + 1, top];
    y += height;
  }
  return pages;
}

/** The widest space that needs no more pages than the narrowest, so that no page has only a name or two. */
function chooseSpace(texts: readonly number[], top: number): number {
  const pagesFor = (space: number) =>
    countPages(
      texts.map((height) => height + space),
      top,
    );
  const fewest = Math.min(...SPACES.map(pagesFor));
  return SPACES.find((space) => pagesFor(space) === fewest) ?? SPACES[0];
}

function drawTitle(doc: Doc): void {
  doc.font('bold').fontSize(20).fillColor(INK).text('Who needs me', PAGE.left, PAGE.top, { lineBreak: false });
}

function drawSubtitle(doc: Doc, name: string, date: string): void {
  doc
    .font('regular')
    .fontSize(11)
    .fillColor(QUIET)
    .text(`${name} · ${date}`, PAGE.left, PAGE.top + 28, { width: WIDTH, height: 15, ellipsis: true });
}

const headingOf = ({ name, group: schoolClass }: PupilWithNeeds): string =>
  schoolClass ? `${name} · ${schoolClass.name}` : name;

/** Each reason, followed by what staff tried. */
const linesOf = ({ needs }: PupilWithNeeds): string[] =>
  needs.flatMap(({ reason, tried }) => [reason, ...(tried ? [triedSentence(tried)] : [])]);

function measureText(doc: Doc, pupil: PupilWithNeeds): number {
  const head = doc.font('bold').fontSize(12).heightOfString(headingOf(pupil), { width: TEXT.width });
  doc.font('regular').fontSize(11);
  return linesOf(pupil).reduce((sum, line) => sum + doc.heightOfString(line, { width: TEXT.width }), head);
}

function drawPupil(doc: Doc, pupil: PupilWithNeeds, top: number, space: number): void {
  doc
    .moveTo(PAGE.left, top)
    .lineTo(PAGE.left + WIDTH, top)
    .lineWidth(0.6)
    .stroke('#c9c4b8');
  doc
    .rect(PAGE.left + 4, top + space / 2 + 2, 13, 13)
    .lineWidth(0.9)
    .stroke(QUIET);
  doc.item(() => {
    doc.font('bold').fontSize(12).fillColor(INK);
    doc.tag('P', () => doc.text(headingOf(pupil), TEXT.left, top + space / 2 - 1, { width: TEXT.width }));
    doc.font('regular').fontSize(11);
    for (const line of linesOf(pupil)) doc.tag('P', () => doc.text(line, { width: TEXT.width }));
  });
}
