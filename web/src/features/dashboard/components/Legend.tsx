import css from './Legend.module.css';
import type { Drawn } from '../model/drawn.ts';
import { Swatch } from './Swatch.tsx';

interface Props {
  series: readonly { level: number | null; name: string }[];
  drawn: (level: number | null) => Drawn;
}

/** What the colours, dashes and marks of a chart mean. */
export const Legend = ({ series, drawn }: Props) => (
  <ul className={css.legend} aria-label="Legend">
    {series.map(({ level, name }) => (
      <li key={name}>
        <Swatch level={level} drawn={drawn(level)} />
        {name}
      </li>
    ))}
  </ul>
);
