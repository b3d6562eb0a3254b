export { assignToClass, assignToPupil } from './assignment.queries.ts';
export { importCatalogue } from './catalogue-import.service.ts';
export { loadCatalogue, readCatalogue } from './catalogue.service.ts';
export { findLibraryBook } from './library.queries.ts';
export { toBook } from './library.service.ts';
