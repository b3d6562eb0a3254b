import PDFDocument from 'pdfkit';
import { loadAndika } from './fonts.ts';

type Doc = PDFKit.PDFDocument;

/** A4 in points. */
export const A4 = { width: 595.28, height: 841.89 };
export const INK = '#1f272b';
export const QUIET = '#4a5458';

interface About {
  title: string;
  product: string;
}

/** A document of A4 pages in Andika (`regular`, `bold`), with a first page only once `draw` adds it. To be run in a worker. */
export async function writePdf({ title, product }: About, draw: (doc: Doc) => void): Promise<Uint8Array> {
  const doc = new PDFDocument({
    size: 'A4',
    margin: 0,
    autoFirstPage: false,
    info: { Title: title, Creator: product },
    lang: 'en-GB',
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
