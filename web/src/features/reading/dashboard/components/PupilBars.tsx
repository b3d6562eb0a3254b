import { Fragment, useId, useRef, useState, type CSSProperties, type KeyboardEvent } from 'react';
import { Link } from '../../../../ui/Link.tsx';
import { paths } from '../../../../paths.ts';
import { count } from '../../../../shared/format.ts';
import { seriesLook } from '../../../../ui/series.ts';
import type { Axis } from '../model/axis.ts';
import fill from './Fill.module.css';
import { hasReading, type Measure } from '../model/measures.ts';
import css from './PupilBars.module.css';
import { type Band, bandOf, type PupilRow } from '../model/pupil-rows.ts';
import { ValueTip } from './ValueTip.tsx';

interface Props {
  title: string;
  /** The pupils of the current page; the axis covers all pupils. */
  rows: readonly PupilRow[];
  axis: Axis;
  measure: Measure;
  /** Bands into which the rows are divided, with the number of pupils on all pages. */
  bands?: readonly { name: string; pupils: number }[];
}

interface Active {
  index: number;
  /** Middle of the row below the top of the chart. */
  y: number;
}

/** A bar or dot for each pupil, including pupils who have not read. Names are links; the arrow keys move between them. */
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
  const parts = groupByBand(rows, measure.bands, bands);
  const share = (value: number) => `${(100 * (value - axis.min)) / (axis.max - axis.min)}%`;

  return (
    <div
      className={css.chart}
      style={{ '--value': measure.valueWidth } as CSSProperties}
      ref={root}
      onPointerLeave={() => setActive(null)}
    >
      <div className={css.scroll} onScroll={() => setActive(null)}>
        <div className={`panel-head ${css.head}`} aria-hidden>
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
              ...(measure.bands && {
                '--low': share(measure.bands[1]!.from),
                '--high': share(measure.bands.at(-1)!.from),
              }),
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
              <ul className="plain" aria-label={band ? `${title}: ${band.name}` : title}>
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
                      <span className={css.plot} data-bands={measure.bands !== undefined || undefined} aria-hidden>
                        {measure.marks.byPupil === 'mark' ? (
                          <Dot pupil={pupil} share={share} />
                        ) : (
                          <StackedBar pupil={pupil} share={share} />
                        )}
                      </span>
                      <span className={css.value} data-none={!hasReading(measure, pupil.total) || undefined}>
                        {hasReading(measure, pupil.total) ? measure.formatShort(pupil.total) : measure.emptyValue}
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
          marks={measure.marks.byPupil}
          emptyText={measure.emptyText}
          position={{ x: (root.current?.clientWidth ?? 0) - 8, y: tipTop(active.y, row.parts.length), isLeft: true }}
        />
      )}
    </div>
  );
}

/** Below the row if it fits there, otherwise above. */
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

const Dot = ({ pupil: { total }, share }: { pupil: PupilRow; share: (value: number) => string }) =>
  total !== null && <span className={css.dot} style={{ left: share(total) }} />;

interface Part {
  band: { name: string; pupils: number } | undefined;
  /** Index of the first member among all rows. */
  first: number;
  members: readonly PupilRow[];
}

/** Divides the rows by band and keeps their order. Without bands all rows are one part. */
function groupByBand(
  rows: readonly PupilRow[],
  measureBands: readonly Band[] | undefined,
  bands: Props['bands'],
): Part[] {
  if (!bands || !measureBands) return [{ band: undefined, first: 0, members: rows }];
  const parts: (Part & { members: PupilRow[] })[] = [];
  for (const [index, row] of rows.entries()) {
    const name = bandOf(row, measureBands);
    const last = parts.at(-1);
    if (last?.band?.name === name) last.members.push(row);
    else parts.push({ band: bands.find((band) => band.name === name), first: index, members: [row] });
  }
  return parts;
}
