import css from './Legend.module.css';
import type { Drawn } from '../model/drawn.ts';
import { Swatch } from './Swatch.tsx';

interface Props {
  /** Of the chart. */
  title: string;
  series: readonly { level: number | null; name: string }[];
  drawn: (level: number | null) => Drawn;
  /** Levels that are switched on; absent where all are shown always. */
  chosen?: readonly number[];
  onChoose?: (level: number) => void;
}

/** What the colours, dashes and marks of a chart mean; its levels are switches where only some of them are strong. */
export const Legend = ({ title, series, drawn, chosen, onChoose }: Props) => (
  <ul className={css.legend} aria-label={`Legend: ${title}`}>
    {series.map(({ level, name }) => (
      <li key={name}>
        {level !== null && chosen ? (
          <button
            type="button"
            className={css.entry}
            aria-pressed={chosen.includes(level)}
            onClick={() => onChoose?.(level)}
          >
            <Swatch level={level} drawn={drawn(level)} />
            {name}
          </button>
        ) : (
          <span className={css.entry}>
            <Swatch level={level} drawn={drawn(level)} />
            {name}
          </span>
        )}
      </li>
    ))}
  </ul>
);
