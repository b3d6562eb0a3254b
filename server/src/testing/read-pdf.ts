import { definePDFJSModule, extractText, getDocumentProxy } from 'unpdf';

// The same PDF.js that the product reads previews with: two versions of it in a process disturb each other.
await definePDFJSModule(() => import('pdfjs-dist/legacy/build/pdf.mjs'));

export { extractText, getDocumentProxy };
