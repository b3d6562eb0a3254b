import { useId, useRef, useState, type CSSProperties, type KeyboardEvent } from 'react';
import { Link } from 'react-router';
import { paths } from '../../../paths.ts';
import { seriesLook } from '../../../ui/series.ts';
import type { Axis } from '../model/axis.ts';
import fill from './Fill.module.css';
import { Marker } from './Marker.tsx';
import { hasReading, inShort, type Measure } from '../model/measures.ts';
import css from './PupilBars.module.css';
import type { PupilRow } from '../model/pupil-rows.ts';
import { drawnByPupil } from '../model/drawn.ts';
import { ValueTip } from './ValueTip.tsx';

interface Props {
  title: string;
  /** Those of the page that is shown; the axis is that of all. */
  rows: readonly PupilRow[];
  axis: Axis;
  measure: Measure;
}

interface Active {
  index: number;
  /** Middle of the row below the top of the chart. */
  y: number;
}

/** Bars of pupils, one under the other, those without reading among them. Names lead to the pupil's page; up and down go through them. */
export default function PupilBars({ title, rows, axis, measure }: Props) {
  const root = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const [stop, setStop] = useState(0);
  const [active, setActive] = useState<Active | null>(null);
  const id = useId();
  const row = active && rows[active.index];

  const look = (index: number) => {
    const box = list.current?.children[index]?.getBoundingClientRect();
    const top = root.current?.getBoundingClientRect().top;
    if (box && top !== undefined) setActive({ index, y: box.top - top + box.height / 2 });
  };
  const move = (event: KeyboardEvent) => {
    const to: Record<string, number> = { ArrowUp: stop - 1, ArrowDown: stop + 1, Home: 0, End: rows.length - 1 };
    const next = to[event.key];
    if (event.key === 'Escape') setActive(null);
    if (next === undefined) return;
    event.preventDefault();
    const index = Math.max(0, Math.min(rows.length - 1, next));
    setStop(index);
    list.current?.children[index]?.querySelector('a')?.focus();
  };
  const share = (value: number) => `${(100 * (value - axis.min)) / (axis.max - axis.min)}%`;

  return (
    <div className={css.chart} ref={root} onPointerLeave={() => setActive(null)}>
      <div className={css.scroll} onScroll={() => setActive(null)}>
        <div className={css.head} aria-hidden>
          <div className={css.axis}>
            {axis.ticks.map((tick) => (
              <span key={tick} style={{ left: share(tick) }}>
                {axis.format(tick)}
              </span>
            ))}
          </div>
        </div>
        <ul
          ref={list}
          className={css.rows}
          aria-label={title}
          onKeyDown={move}
          style={{ '--steps': axis.ticks.length - 1 } as CSSProperties}
        >
          {rows.map((pupil, index) => (
            <li
              key={pupil.id}
              className={css.row}
              data-on={active?.index === index || undefined}
              onPointerEnter={() => look(index)}
              onPointerDown={() => look(index)}
            >
              <Link
                to={paths.pupil(pupil.id)}
                className={css.name}
                tabIndex={index === Math.min(stop, rows.length - 1) ? 0 : -1}
                aria-describedby={active?.index === index ? id : undefined}
                onFocus={() => {
                  setStop(index);
                  look(index);
                }}
                onBlur={() => setActive(null)}
              >
                {pupil.name}
              </Link>
              <span className={css.plot} aria-hidden>
                {measure === 'accuracy' ? (
                  <AccuracyBar pupil={pupil} share={share} />
                ) : (
                  <StackedBar pupil={pupil} share={share} />
                )}
              </span>
              <span className={css.value} data-none={!hasReading(measure, pupil.total) || undefined}>
                {measure !== 'books' && !hasReading(measure, pupil.total) ? '–' : inShort(measure, pupil.total)}
              </span>
            </li>
          ))}
        </ul>
      </div>
      {row && active && (
        <ValueTip
          id={id}
          title={row.name}
          measure={measure}
          values={[...row.parts, { level: null, name: 'Total', value: row.total }]}
          drawn={drawnByPupil(measure)}
          none={measure === 'books' ? 'No book completed in these dates.' : 'Has not read in these dates.'}
          position={{ x: (root.current?.clientWidth ?? 0) - 8, y: tipTop(active.y, row.parts.length), isLeft: true }}
        />
      )}
    </div>
  );
}

/** Under the row while there is room, else above it. */
const tipTop = (y: number, lines: number): number => {
  const height = 40 + (lines + 1) * 24;
  return y + 16 + height <= 350 ? y + 16 : Math.max(0, y - 16 - height);
};

const StackedBar = ({ pupil, share }: { pupil: PupilRow; share: (value: number) => string }) =>
  pupil.parts
    .filter(({ value }) => value > 0)
    .map(({ level, name, value }) => (
      <span
        key={name}
        className={`${css.part} ${fill.fill}`}
        data-level={level}
        style={{ width: share(value), '--colour': seriesLook(level).colour } as CSSProperties}
      />
    ));

/** Accuracies do not add up: the bar is that of all levels, each level a mark on it. */
const AccuracyBar = ({ pupil, share }: { pupil: PupilRow; share: (value: number) => string }) => (
  <>
    {pupil.total !== null && (
      <span
        className={`${css.whole} ${fill.fill}`}
        data-level="total"
        style={{ width: share(pupil.total), '--colour': seriesLook(null).colour } as CSSProperties}
      />
    )}
    {pupil.parts.map(({ level, name, value }) => (
      <svg key={name} width={14} height={14} viewBox="-7 -7 14 14" className={css.mark} style={{ left: share(value) }}>
        <Marker look={seriesLook(level)} />
      </svg>
    ))}
  </>
);
