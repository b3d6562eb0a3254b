import type { Measure } from '../model/measures.ts';
import { hasReading, inWords } from '../model/measures.ts';
import { Swatch } from './Swatch.tsx';
import type { Drawn } from '../model/drawn.ts';
import css from './ValueTip.module.css';

interface Props {
  id?: string;
  title: string;
  measure: Measure;
  values: readonly { level: number | null; name: string; value: number | null }[];
  drawn: (level: number | null) => Drawn;
  /** Said where there is no value. */
  none: string;
  /** Position of its corner inside the chart, in pixels or as CSS computes it, and to which side of it the box lies. */
  position: { x: number | string; y: number; isLeft: boolean };
}

/** What one point or bar stands for, beside it. */
export function ValueTip({ id, title, measure, values, drawn, none, position }: Props) {
  const shown = values.filter(({ value }) => hasReading(measure, value));
  return (
    <div
      id={id}
      role="tooltip"
      className={css.tip}
      data-left={position.isLeft || undefined}
      style={{ left: position.x, top: position.y }}
    >
      <strong>{title}</strong>
      {shown.length === 0 ? (
        <span>{none}</span>
      ) : (
        <ul>
          {shown.map(({ level, name, value }) => (
            <li key={name}>
              <Swatch level={level} drawn={drawn(level)} />
              <span>{name}</span>
              <b>{inWords(measure, value)}</b>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
