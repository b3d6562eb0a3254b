import css from './Legend.module.css';
import { type ChartMarks, markKind } from '../model/mark-kind.ts';
import { Swatch } from './Swatch.tsx';

interface Props {
  /** The chart's title. */
  title: string;
  series: readonly { level: number | null; name: string }[];
  marks: ChartMarks;
  /** The levels that are switched on. Absent if all levels are always shown. */
  chosen?: readonly number[];
  onChoose?: (level: number) => void;
}

/** The legend of a chart. Its levels are switches if only the chosen ones are strong. */
export const Legend = ({ title, series, marks, chosen, onChoose }: Props) => (
  <ul className={`small ${css.legend}`} aria-label={`Legend: ${title}`}>
    {series.map(({ level, name }) => (
      <li key={name}>
        {level !== null && chosen ? (
          <button
            type="button"
            className={css.entry}
            aria-pressed={chosen.includes(level)}
            onClick={() => onChoose?.(level)}
          >
            <Swatch level={level} kind={markKind(marks, level)} />
            {name}
          </button>
        ) : (
          <span className={css.entry}>
            <Swatch level={level} kind={markKind(marks, level)} />
            {name}
          </span>
        )}
      </li>
    ))}
  </ul>
);
