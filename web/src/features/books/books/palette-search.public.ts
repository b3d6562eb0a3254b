export { findBooksQuery, type LibraryOwner } from './library.api.ts';
