import { useReadingLevel } from '../reading-levels.api.ts';

interface Props {
  level: number;
  /** In brackets, within a sentence. */
  isBracketed?: boolean;
}

/** The name of the book band behind the number of a level, for staff: not on paper, which parents may see. */
export function BookBand({ level, isBracketed = false }: Props) {
  const band = useReadingLevel(level)?.book_band;
  return band && <span className="no-print"> {isBracketed ? `(${band})` : band}</span>;
}
