import { definePDFJSModule, extractText, getDocumentProxy } from 'unpdf';

// The product reads previews with the same PDF.js: two versions of it in one process conflict.
await definePDFJSModule(() => import('pdfjs-dist/legacy/build/pdf.mjs'));

export { extractText, getDocumentProxy };
