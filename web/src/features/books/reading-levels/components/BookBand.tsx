import { useReadingLevel } from '../reading-levels.api.ts';

/** The name of the book band behind the number of a level, for staff: not on paper, which parents may see. */
export function BookBand({ level }: { level: number }) {
  const band = useReadingLevel(level)?.book_band;
  return band && <span className="no-print"> {band}</span>;
}
