import { serveTasks } from './workers/worker-thread.ts';

// What a worker thread starts with: every task of the product and where its code is.
serveTasks({
  readWorkbook: async () => (await import('./spreadsheets/workbook.ts')).readWorkbook,
  readPasted: async () => (await import('./spreadsheets/workbook.ts')).readPasted,
  writeXlsx: async () => (await import('./spreadsheets/xlsx.ts')).writeXlsx,
  writeZip: async () => (await import('./spreadsheets/zip-file.ts')).writeZip,
  drawPreview: async () => (await import('./features/book-content/previews.document.ts')).drawPreview,
  drawCards: async () => (await import('./features/login-cards/cards.document.ts')).drawCards,
  drawCertificates: async () => (await import('./features/help/certificates.document.ts')).drawCertificates,
  drawGuide: async () => (await import('./features/help/guide.document.ts')).drawGuide,
  drawNeedsList: async () => (await import('./features/reading-needs/needs-list.document.ts')).drawNeedsList,
  drawPupilReport: async () => (await import('./features/pupil-progress/pupil-report.document.ts')).drawPupilReport,
  drawWordSheet: async () => (await import('./features/hard-words/word-sheets.document.ts')).drawWordSheet,
  drawInvoice: async () => (await import('./features/invoices/invoice.document.ts')).drawInvoice,
});
