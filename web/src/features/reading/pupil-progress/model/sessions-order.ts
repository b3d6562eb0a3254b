import type { ReadingSession } from '#contract/calls/reading.ts';
import { compareText } from '../../../../shared/compare-text.ts';
import type { TableDefaults, TableState } from '../../../../ui/table-url-state.ts';

/** The accuracy to show: of the completed reading, else the projected one. */
export const accuracyShown = ({
  has_completed_book,
  accuracy,
  range_progressive_accuracy,
}: ReadingSession): number | null => (has_completed_book ? accuracy : range_progressive_accuracy);

const VALUES: Record<string, (session: ReadingSession) => string | number | null> = {
  book: ({ book_title }) => book_title,
  date: ({ date }) => date,
  time: ({ reading_time }) => reading_time,
  accuracy: accuracyShown,
  completed: ({ has_completed_book }) => Number(has_completed_book),
};

export const SESSIONS_TABLE: TableDefaults = { sort: { field: 'date', direction: 'desc' }, sorts: Object.keys(VALUES) };

/** The sessions of a page of the table, in its order. Missing values are last in both directions; equal values are newest first. */
export function sessionsAt(
  sessions: readonly ReadingSession[],
  { sort, page, perPage }: Pick<TableState, 'sort' | 'page' | 'perPage'>,
): ReadingSession[] {
  const valueOf = VALUES[sort?.field ?? 'date'] ?? VALUES.date!;
  const sign = sort?.direction === 'asc' ? 1 : -1;
  const ordered = [...sessions].sort((a, b) => {
    const [first, second] = [valueOf(a), valueOf(b)];
    if (first === second) return Number(a.date < b.date) - Number(a.date > b.date);
    if (first === null) return 1;
    if (second === null) return -1;
    return sign * (typeof first === 'string' ? compareText(first, String(second)) : first - Number(second));
  });
  return ordered.slice((page - 1) * perPage, page * perPage);
}
