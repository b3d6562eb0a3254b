export { assignBooks } from './assignment.queries.ts';
export { findLibraryBook } from './library.queries.ts';
export { toBook } from './library.service.ts';
