import { minutes } from '../model/reading-words.ts';
import css from './ReadingColumns.module.css';

const BAR = { width: 9, gap: 13, height: 24 };
/** The minutes of a full bar. A pupil with more in a week gets a larger scale. */
const FULL_BAR_MINUTES = 60;

/** A bar as part of a path, whose line of 2 px rounds its corners. */
const drawBar = (week: number, height: number) =>
  `M${week * BAR.gap + 1} ${BAR.height - height + 1}h${BAR.width - 2}v${height - 2}h${2 - BAR.width}z`;

/** The minutes of several weeks as bars, the current week last. A week without reading is a thin line. */
export function WeekBars({ weeks }: { weeks: readonly number[] }) {
  const read = weeks.map(minutes);
  const longest = Math.max(FULL_BAR_MINUTES, ...read);
  const heightOf = (value: number) => Math.max(3, Math.round((value / longest) * BAR.height));
  // Two paths instead of an element for each week: a class has hundreds of bars.
  return (
    <svg
      className={css.bars}
      width={BAR.gap * 6}
      height={BAR.height}
      viewBox={`0 0 ${BAR.gap * 6} ${BAR.height}`}
      role="img"
      aria-label={`Minutes a week: ${read.join(', ')}`}
    >
      <path d={read.map((value, week) => (value > 0 ? drawBar(week, heightOf(value)) : '')).join('')} />
      <path className={css.none} d={read.map((value, week) => (value > 0 ? '' : drawBar(week, 2))).join('')} />
    </svg>
  );
}
