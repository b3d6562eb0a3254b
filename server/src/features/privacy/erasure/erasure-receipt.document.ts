import { A4, INK, QUIET, writePdf } from '../../../pdf/write-pdf.ts';

declare module '../../../workers/worker-pool.ts' {
  interface WorkerTasks {
    renderErasureReceipt: typeof renderErasureReceipt;
  }
}

/** A receipt, in texts. It names no one who was erased. */
export interface ErasureReceipt {
  product: string;
  /** The line under the title. */
  heading: string;
  kind: 'pupil' | 'staff' | 'school';
  /** "a pupil". */
  who: string;
  /** The day and time, and whether an admin or the nightly job did it. */
  when: string;
  /** Rows by kind of data. */
  counts: readonly { title: string; rows: number }[];
  /** Hexadecimal. */
  digest: string;
  notes: readonly string[];
}

const LEFT = 56;
const WIDTH = A4.width - 2 * LEFT;
const NUMBERS = 100;
const TOP = 56;
/** Below this there is no space for a paragraph of three lines. */
const LAST_LINE = A4.height - 110;

/** A receipt, usually of one page. Runs in a worker. */
export const renderErasureReceipt = (receipt: ErasureReceipt): Promise<Uint8Array> =>
  writePdf({ title: `Receipt of erasure: ${receipt.heading}`, product: receipt.product }, (doc) => {
    doc.addPage();
    const startLine = () => {
      if (doc.y < LAST_LINE) return;
      doc.addPage();
      doc.y = TOP;
    };
    const paragraph = (text: string, { size = 11, color = INK, font = 'regular', gap = 6 } = {}) => {
      startLine();
      doc.tag('P', () => doc.font(font).fontSize(size).fillColor(color).text(text, LEFT, doc.y, { width: WIDTH }));
      doc.y += gap;
    };
    const heading = (text: string) => {
      startLine();
      doc.y += 10;
      doc.tag('H2', () => doc.font('bold').fontSize(13).fillColor(INK).text(text, LEFT, doc.y, { width: WIDTH }));
      doc.y += 4;
    };
    doc.y = TOP;
    doc.tag('H1', () =>
      doc.font('bold').fontSize(20).fillColor(INK).text('Receipt of erasure', LEFT, doc.y, { width: WIDTH }),
    );
    doc.y += 4;
    paragraph(receipt.heading, { color: QUIET, gap: 12 });
    paragraph(`The data of ${receipt.who} was erased ${receipt.when}.`);
    heading('What was erased');
    for (const { title, rows } of receipt.counts) {
      startLine();
      const { y } = doc;
      doc.tag('P', () => {
        doc.font('regular').fontSize(11).fillColor(INK);
        doc.text(title, LEFT, y, { width: WIDTH - NUMBERS, continued: false });
        doc.text(rows === 1 ? '1 entry' : `${rows.toLocaleString('en-GB')} entries`, LEFT + WIDTH - NUMBERS, y, {
          width: NUMBERS,
          align: 'right',
        });
      });
      doc.y += 3;
    }
    heading('Digest');
    paragraph(receipt.digest, { size: 10 });
    paragraph(
      `Made with a secret key from the number of the ${receipt.kind === 'school' ? 'school' : 'person'}. It names no one, and proves which erasure this is.`,
      {
        size: 10,
        color: QUIET,
      },
    );
    heading('What remains for some time');
    for (const note of receipt.notes) paragraph(note);
  });
