/* The thread in which pdf.js reads a file. */
import './pdf-replacements.ts';
import 'pdfjs-dist/legacy/build/pdf.worker.min.mjs';
