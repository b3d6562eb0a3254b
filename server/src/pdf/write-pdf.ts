import { loadAndika } from './fonts.ts';
import { TaggedPdf } from './tagged-pdf.ts';

export type Doc = TaggedPdf;

/** A4 in points. */
export const A4 = { width: 595.28, height: 841.89 };
export const INK = '#1f272b';
export const QUIET = '#4a5458';

const NO_MARGINS = { top: 0, bottom: 0, left: 0, right: 0 };

interface PdfInfo {
  title: string;
  /** The creator in the file's metadata. */
  product?: string;
}

/**
 * Builds a tagged PDF document in Andika (`regular`, `bold`): A4 without margins or a first page unless `options` say otherwise.
 * Run it in a worker.
 */
export async function writePdf(
  { title, product }: PdfInfo,
  draw: (doc: Doc) => void,
  { info, ...options }: PDFKit.PDFDocumentOptions = {},
): Promise<Uint8Array> {
  const doc = new TaggedPdf({
    tagged: true,
    displayTitle: true,
    pdfVersion: '1.7',
    size: 'A4',
    margins: NO_MARGINS,
    autoFirstPage: false,
    lang: 'en-GB',
    ...options,
    info: { Title: title, ...(product !== undefined && { Creator: product }), ...info },
  });
  const chunks: Buffer[] = [];
  doc.on('data', (chunk: Buffer) => chunks.push(chunk));
  const finished = new Promise<void>((resolve) => doc.once('end', resolve));
  const { regular, bold } = loadAndika();
  doc.registerFont('regular', regular);
  doc.registerFont('bold', bold);
  draw(doc);
  doc.end();
  await finished;
  return new Uint8Array(Buffer.concat(chunks));
}
