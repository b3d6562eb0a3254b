import { serveTasks } from './workers/worker-thread.ts';

// The entry point of a worker thread: every task of the product and the module that contains it.
serveTasks({
  readPupilList: async () => (await import('./features/records/pupil-import/parser.service.ts')).readPupilList,
  readStaffFile: async () => (await import('./lists/staff.ts')).readStaffFile,
  readSchoolRecords: async () =>
    (await import('./features/records/school-records/read-school-records.service.ts')).readSchoolRecords,
  writeXlsx: async () => (await import('./spreadsheets/xlsx.ts')).writeXlsx,
  writeZip: async () => (await import('./spreadsheets/zip-file.ts')).writeZip,
  renderPreview: async () => (await import('./features/books/book-content/previews.document.ts')).renderPreview,
  renderLoginCards: async () =>
    (await import('./features/school/login-cards/login-cards.document.ts')).renderLoginCards,
  renderCertificates: async () =>
    (await import('./features/help/certificates/certificates.document.ts')).renderCertificates,
  renderGuide: async () => (await import('./features/help/help/guide.document.ts')).renderGuide,
  renderNeedsList: async () =>
    (await import('./features/reading/reading-needs/needs-list.document.ts')).renderNeedsList,
  renderPupilReports: async () =>
    (await import('./features/reading/pupil-progress/pupil-report.document.ts')).renderPupilReports,
  renderWordSheet: async () => (await import('./features/reading/hard-words/word-sheets.document.ts')).renderWordSheet,
  renderErasureReceipt: async () =>
    (await import('./features/privacy/erasure/erasure-receipt.document.ts')).renderErasureReceipt,
  renderCopy: async () => (await import('./features/privacy/subject-access/copy-pdf.document.ts')).renderCopy,
  renderInvoice: async () => (await import('./features/billing/invoices/invoice.document.ts')).renderInvoice,
  renderSummary: async () => (await import('./features/reading/dashboard/summary.document.ts')).renderSummary,
});
