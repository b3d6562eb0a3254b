export { findBooksQuery } from './library.api.ts';
