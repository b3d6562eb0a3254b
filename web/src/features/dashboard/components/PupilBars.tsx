import { Fragment, useId, useRef, useState, type CSSProperties, type KeyboardEvent } from 'react';
import { Link } from 'react-router';
import { paths } from '../../../paths.ts';
import { count } from '../../../shared/format.ts';
import { seriesLook } from '../../../ui/series.ts';
import type { Axis } from '../model/axis.ts';
import fill from './Fill.module.css';
import { hasReading, inShort, type Measure } from '../model/measures.ts';
import css from './PupilBars.module.css';
import { bandOf, type PupilRow } from '../model/pupil-rows.ts';
import { drawnByPupil } from '../model/drawn.ts';
import { ValueTip } from './ValueTip.tsx';

interface Props {
  title: string;
  /** The pupils of the current page, or all when printing; the axis covers all pupils. */
  rows: readonly PupilRow[];
  axis: Axis;
  measure: Measure;
  /** Rows of one band of accuracy stand under its name, with how many pupils it has on all pages. */
  bands?: readonly { name: string; pupils: number }[];
}

interface Active {
  index: number;
  /** Middle of the row below the top of the chart. */
  y: number;
}

/** Pupils one under the other, those without reading among them: bars, or dots of accuracy before its bands. Names lead to the pupil's page; up and down go through them. */
export function PupilBars({ title, rows, axis, measure, bands }: Props) {
  const root = useRef<HTMLDivElement>(null);
  const [stop, setStop] = useState(0);
  const [active, setActive] = useState<Active | null>(null);
  const id = useId();
  const row = active && rows[active.index];
  const rowAt = (index: number) => root.current?.querySelectorAll('[data-row]')[index];

  const look = (index: number) => {
    const box = rowAt(index)?.getBoundingClientRect();
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
    rowAt(index)?.querySelector('a')?.focus();
  };
  const parts = inBands(rows, bands);
  const share = (value: number) => `${(100 * (value - axis.min)) / (axis.max - axis.min)}%`;

  return (
    <div className={css.chart} data-measure={measure} ref={root} onPointerLeave={() => setActive(null)}>
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
        <div
          role="presentation"
          onKeyDown={move}
          style={
            {
              '--steps': axis.ticks.length - 1,
              ...(measure === 'accuracy' && { '--low': share(90), '--high': share(95) }),
            } as CSSProperties
          }
        >
          {parts.map(({ band, first, members }) => (
            <Fragment key={band?.name ?? ''}>
              {band && (
                <h3 className={css.band}>
                  {band.name} <span>{count(band.pupils, 'pupil')}</span>
                </h3>
              )}
              <ul className={css.rows} aria-label={band ? `${title}: ${band.name}` : title}>
                {members.map((pupil, offset) => {
                  const index = first + offset;
                  return (
                    <li
                      key={pupil.id}
                      className={css.row}
                      data-row
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
                      <span className={css.plot} data-bands={measure === 'accuracy' || undefined} aria-hidden>
                        {measure === 'accuracy' ? (
                          <AccuracyDot pupil={pupil} share={share} />
                        ) : (
                          <StackedBar pupil={pupil} share={share} />
                        )}
                      </span>
                      <span className={css.value} data-none={!hasReading(measure, pupil.total) || undefined}>
                        {measure !== 'books' && !hasReading(measure, pupil.total) ? '–' : inShort(measure, pupil.total)}
                      </span>
                    </li>
                  );
                })}
              </ul>
            </Fragment>
          ))}
        </div>
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

const AccuracyDot = ({ pupil: { total }, share }: { pupil: PupilRow; share: (value: number) => string }) =>
  total !== null && <span className={css.dot} style={{ left: share(total) }} />;

interface Part {
  band: { name: string; pupils: number } | undefined;
  /** Index of the first member among all rows. */
  first: number;
  members: readonly PupilRow[];
}

/** The rows under the bands that they are in, in their order; all in one without bands. */
function inBands(rows: readonly PupilRow[], bands: Props['bands']): Part[] {
  if (!bands) return [{ band: undefined, first: 0, members: rows }];
  const parts: (Part & { members: PupilRow[] })[] = [];
  for (const [index, row] of rows.entries()) {
    const name = bandOf(row);
    const last = parts.at(-1);
    if (last?.band?.name === name) last.members.push(row);
    else parts.push({ band: bands.find((band) => band.name === name), first: index, members: [row] });
  }
  return parts;
}
