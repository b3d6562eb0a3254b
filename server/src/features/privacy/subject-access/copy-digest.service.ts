import type { Selectable } from 'kysely';
import { isReading } from '#contract/is-reading.ts';
import { dayIn } from '../../../clock.ts';
import type { CopiedRow } from './copies.queries.ts';
import type { TableName } from '../../../database/table-kinds.ts';
import type { Tables } from '../../../database/tables.ts';

/** How often something happened, and the first and last time. */
export interface Span {
  count: number;
  first: Date;
  last: Date;
}

/** Different keys that are counted; any more are not. */
const MAX_KEYS = 5000;

/** Spans by key. */
export class Spans {
  readonly #spans = new Map<string, Span>();

  add(key: string, at: Date, count = 1): void {
    const span = this.#spans.get(key);
    if (span) {
      span.count += count;
      if (at < span.first) span.first = at;
      if (at > span.last) span.last = at;
    } else if (this.#spans.size < MAX_KEYS) this.#spans.set(key, { count, first: at, last: at });
  }

  /** The spans with their keys, those with the highest counts first. */
  list(): (Span & { key: string })[] {
    return [...this.#spans].map(([key, span]) => ({ key, ...span })).sort((a, b) => b.count - a.count);
  }

  /** All of them together; undefined without any. */
  total(): Span | undefined {
    const spans = [...this.#spans.values()];
    const [first] = spans;
    return first && spans.slice(1).reduce(join, { ...first });
  }
}

const join = (a: Span, b: Span): Span => ({
  count: a.count + b.count,
  first: b.first < a.first ? b.first : a.first,
  last: b.last > a.last ? b.last : a.last,
});

/** What a pupil read in a month. */
export interface MonthOfReading {
  days: number;
  seconds: number;
  pages: number;
  words: number;
  correct: number;
  finished: number;
}

export const NO_READING: MonthOfReading = { days: 0, seconds: 0, pages: 0, words: 0, correct: 0, finished: 0 };

/** How a pupil read a book. */
export interface BookReading {
  title: string;
  level: number;
  /** Calendar days. */
  first: string;
  last: string;
  seconds: number;
  /** The day on which it was last finished; null for a book that was not. */
  finishedOn: string | null;
}

/** The last rows that are stored of a table whose rows the page shows. */
const MAX_LATEST = 100;

/** Tables that the page shows as figures, and not row by row. */
const COUNTED: ReadonlySet<TableName> = new Set([
  'reading_sessions',
  'reading_days',
  'book_completions',
  'daily_views',
  'login_events',
  'audit_log',
  'outbox',
  'digests_sent',
]);

/** A row with the names that its numbers stand for. */
type Row<Table extends TableName> = Selectable<Tables[Table]> & {
  book_name?: string | null;
  user_name?: string | null;
};

/** What the readable page needs of the rows of a copy, collected while they are written. Its size has a limit. */
export class CopyDigest {
  readonly timeZone: string;
  /** The number of rows by table, in the order of the copy. */
  readonly counts = new Map<TableName, number>();
  /** By month, `YYYY-MM`. */
  readonly months = new Map<string, MonthOfReading>();
  readonly books = new Map<number, BookReading>();
  readonly hardWords = new Spans();
  readonly changes = new Spans();
  readonly emails = new Spans();
  /** Who looked at the pupil's own pages and files, by name; of a pupil's copy. */
  readonly viewers = new Spans();
  /** Who saw the pupil in a list, by name; of a pupil's copy. */
  readonly listViewers = new Spans();
  /** By month; of a copy for staff. */
  readonly views = new Spans();
  readonly logins = new Spans();
  /** How someone logged in and with what, by month. */
  readonly methods = new Map<string, Set<string>>();
  readonly devices = new Map<string, Set<string>>();
  latestLevel: number | null = null;
  readonly #latest = new Map<TableName, CopiedRow[]>();
  #lastDay = '';

  constructor(timeZone: string) {
    this.timeZone = timeZone;
  }

  /** The last rows of a table. */
  latest(table: TableName): readonly CopiedRow[] {
    return this.#latest.get(table) ?? [];
  }

  dayOf(at: Date): string {
    return dayIn(this.timeZone, at);
  }

  add(table: TableName, rows: readonly CopiedRow[]): void {
    this.counts.set(table, (this.counts.get(table) ?? 0) + rows.length);
    const collect = COLLECT[table] as ((digest: CopyDigest, row: CopiedRow) => void) | undefined;
    if (collect) for (const row of rows) collect(this, row);
    if (!COUNTED.has(table)) this.#latest.set(table, [...this.latest(table), ...rows].slice(-MAX_LATEST));
  }

  /** The figures of the month of a day. */
  month(day: string): MonthOfReading {
    const key = day.slice(0, 7);
    const known = this.months.get(key);
    if (known) return known;
    const month = { ...NO_READING };
    this.months.set(key, month);
    return month;
  }

  /** Counts a day once, however many levels were read on it. Days arrive in order. */
  countDay(day: string): void {
    if (day !== this.#lastDay) this.month(day).days += 1;
    this.#lastDay = day;
  }
}

const addTo = (sets: Map<string, Set<string>>, key: string, value: string | null): void => {
  const set = sets.get(key) ?? new Set();
  if (value !== null && set.size < 20) set.add(value);
  sets.set(key, set);
};

const COLLECT: { [Table in TableName]?: (digest: CopyDigest, row: Row<Table>) => void } = {
  reading_days(digest, { day, reading_time: seconds, words_attempted: words, words_correct: correct }) {
    digest.countDay(day);
    const month = digest.month(day);
    month.seconds += seconds;
    month.words += words;
    month.correct += correct;
  },
  reading_sessions(digest, row) {
    const day = digest.dayOf(row.started_at);
    const counts = isReading(row);
    if (counts) digest.month(day).pages += row.heatmap.filter((attention) => attention !== 0).length;
    if (counts) digest.latestLevel = row.reading_level;
    const book = digest.books.get(row.book_id) ?? {
      title: row.book_name ?? 'A book that left the library',
      level: row.reading_level,
      first: day,
      last: day,
      seconds: 0,
      finishedOn: null,
    };
    book.last = day;
    if (counts) book.seconds += row.reading_time;
    if (row.has_completed_book) book.finishedOn = day;
    digest.books.set(row.book_id, book);
    if (counts)
      for (const word of new Set([...row.played_words, ...row.skipped_words]))
        digest.hardWords.add(word, row.started_at);
  },
  book_completions(digest, { day }) {
    digest.month(day).finished += 1;
  },
  daily_views(digest, { about, first_at: first, last_at: last, count, user_name: name, is_support: isSupport }) {
    const viewer = `${name ?? 'A former member of staff'}${isSupport ? ', for the support team' : ''}`;
    const spans = about === 'pupil' ? digest.viewers : digest.listViewers;
    spans.add(viewer, first, count);
    spans.add(viewer, last, 0);
    digest.views.add(digest.dayOf(first).slice(0, 7), last, count);
  },
  login_events(digest, { at, method, browser, system }) {
    const month = digest.dayOf(at).slice(0, 7);
    digest.logins.add(month, at);
    addTo(digest.methods, month, method);
    addTo(digest.devices, month, [browser, system].filter(Boolean).join(' on ') || null);
  },
  audit_log(digest, { action, at }) {
    digest.changes.add(action, at);
  },
  outbox(digest, { kind, created_at: at }) {
    digest.emails.add(kind, at);
  },
};
