import { minutes } from '../model/reading-words.ts';
import css from './ReadingColumns.module.css';

const BAR = { width: 9, gap: 13, height: 24 };
/** Minutes of a full bar; who reads more in some week has a scale of their own. */
const FULL = 60;

/** The minutes of some weeks as bars, the present week last; a week without reading keeps a thin line. */
export function WeekBars({ weeks }: { weeks: readonly number[] }) {
  const read = weeks.map(minutes);
  const most = Math.max(FULL, ...read);
  return (
    <svg
      className={css.bars}
      viewBox={`0 0 ${BAR.gap * 6} ${BAR.height}`}
      role="img"
      aria-label={`Minutes a week: ${read.join(', ')}`}
    >
      {read.map((value, week) => {
        const height = value === 0 ? 2 : Math.max(3, Math.round((value / most) * BAR.height));
        return (
          <rect
            // The weeks are as many and in the same order always.
            key={week}
            className={value === 0 ? css.none : undefined}
            x={week * BAR.gap}
            y={BAR.height - height}
            width={BAR.width}
            height={height}
            rx={1.5}
          />
        );
      })}
    </svg>
  );
}
