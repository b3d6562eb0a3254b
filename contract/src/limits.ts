/** Numbers that the API enforces and the screens show. Plain constants: a screen that uses one loads no schemas. */

/** First day for which statistics exist. */
export const FIRST_DAY = '2018-01-01';

/** Rows per page that paged lists offer. */
export const PAGE_SIZES = [10, 25, 50, 100, 200] as const;
export const DEFAULT_PAGE_SIZE = 50;

/** Reading levels, lowest first. */
export const LEVELS = [1, 2, 3, 4, 5, 6] as const;

/** Largest file that an import reads. */
export const UPLOAD_BYTES = 10 * 1024 * 1024;

/** Most login cards made in one request. */
export const CARDS_AT_ONCE = 60;

/** Most books assigned or removed in one request. */
export const MAX_BOOKS = 1000;

/** `max_readers` of a package without a limit. */
export const UNLIMITED_READERS = 999;
