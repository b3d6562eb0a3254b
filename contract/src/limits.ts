/** Limits that the API enforces and the screens show. Plain constants, so that a screen need not load the schemas. */

/** The first day with statistics. */
export const FIRST_DAY = '2018-01-01';

/** The page sizes of paged lists. */
export const PAGE_SIZES = [10, 25, 50, 100, 200] as const;
export const DEFAULT_PAGE_SIZE = 50;

/** Reading levels, lowest first. */
export const LEVELS = [1, 2, 3, 4, 5, 6] as const;

/** The maximum size of an uploaded file. */
export const UPLOAD_BYTES = 10 * 1024 * 1024;

/** The maximum number of login cards in one request. */
export const CARDS_AT_ONCE = 60;

/** The maximum number of books assigned or removed in one request. */
export const MAX_BOOKS = 1000;

/** The maximum numbers of pupils and of books when books are assigned to several pupils in one request. */
export const MAX_PUPILS_WITH_BOOKS = 100;
export const MAX_BOOKS_FOR_PUPILS = 20;

/** The maximum number of a school’s pupil tags. */
export const MAX_PUPIL_TAGS = 30;
/** Days for which an archived pupil can be restored, unless the school chose fewer. */
export const ARCHIVE_DAYS = 30;

/** The maximum number of column headers whose meaning a school's imports remember. */
export const MAX_REMEMBERED_COLUMNS = 100;

/** `max_readers` of an unlimited package. */
export const UNLIMITED_READERS = 999;

/** The maximum number of passkeys and authenticator apps of one account. */
export const MAX_FACTORS = 10;

/** How many people can cover a class at once, and for how many days. */
export const MAX_COVERS = 5;
export const MAX_COVER_DAYS = 31;

/** The maximum number of classes that one request hands over to other teachers. */
export const MAX_HANDOVERS = 200;

/** The maximum number of schools of one account. */
export const MAX_SCHOOLS = 50;

/** The number of recovery codes of an account. */
export const RECOVERY_CODES = 10;

/** How many days in advance staff see that they will need a second factor. */
export const FACTOR_RUN_UP_DAYS = 14;

/** A shorter key could be guessed, and with it the stored reply and request. */
export const IDEMPOTENCY_KEY_LENGTH = { min: 16, max: 255 };
