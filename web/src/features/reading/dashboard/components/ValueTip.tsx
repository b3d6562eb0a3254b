import { type ChartMarks, markKind } from '../model/mark-kind.ts';
import { hasReading, type Measure } from '../model/measures.ts';
import { Swatch } from './Swatch.tsx';
import css from './ValueTip.module.css';

interface Props {
  id?: string;
  title: string;
  measure: Measure;
  values: readonly { level: number | null; name: string; value: number | null }[];
  marks: ChartMarks;
  /** Shown if there is no value. */
  emptyText: string;
  /** Where its corner is inside the chart, in pixels or as a CSS length, and on which side of it the box is. */
  position: { x: number | string; y: number; isLeft: boolean };
}

/** The values of one point or bar, beside it. */
export function ValueTip({ id, title, measure, values, marks, emptyText, position }: Props) {
  const shown = values.flatMap(({ value, ...series }) => (hasReading(measure, value) ? { ...series, value } : []));
  return (
    <div
      id={id}
      role="tooltip"
      className={`raised small ${css.tip} no-print`}
      data-left={position.isLeft || undefined}
      style={{ left: position.x, top: position.y }}
    >
      <strong>{title}</strong>
      {shown.length === 0 ? (
        <span>{emptyText}</span>
      ) : (
        <ul className="plain">
          {shown.map(({ level, name, value }) => (
            <li key={name}>
              <Swatch level={level} kind={markKind(marks, level)} />
              <span>{name}</span>
              <b>{measure.format(value)}</b>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
