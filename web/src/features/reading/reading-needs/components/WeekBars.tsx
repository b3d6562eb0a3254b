import { minutes } from '../model/reading-words.ts';
import css from './ReadingColumns.module.css';

const BAR = { width: 9, gap: 13, height: 24 };
/** The minutes of a full bar. A pupil with more in a week gets a larger scale. */
const FULL_BAR_MINUTES = 60;

/** The minutes of several weeks as bars, the current week last. A week without reading is a thin line. */
export function WeekBars({ weeks }: { weeks: readonly number[] }) {
  const read = weeks.map(minutes);
  const longest = Math.max(FULL_BAR_MINUTES, ...read);
  return (
    <svg
      className={css.bars}
      width={BAR.gap * 6}
      height={BAR.height}
      viewBox={`0 0 ${BAR.gap * 6} ${BAR.height}`}
      role="img"
      aria-label={`Minutes a week: ${read.join(', ')}`}
    >
      {read.map((value, week) => {
        const height = value === 0 ? 2 : Math.max(3, Math.round((value / longest) * BAR.height));
        return (
          <rect
            // The number and order of weeks never change.
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
