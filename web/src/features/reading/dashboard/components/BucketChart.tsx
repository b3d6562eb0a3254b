import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import type { Chart } from '#contract/calls/charts.ts';
import css from './BucketChart.module.css';
import { BucketDrawing } from './BucketDrawing.tsx';
import { type Band, bandOf } from '../model/bucket-geometry.ts';
import { fullBucket } from '../model/bucket-labels.ts';
import { hasReading, type Measure } from '../model/measures.ts';
import { ValueTip } from './ValueTip.tsx';

/** The size of the plot and its margins, equal to those in BucketDrawing.module.css. */
const HEIGHT = 308;
const LEFT = 62;
const BESIDE = 90;
/** The width of the plot on a phone, assumed until it is measured. */
const LEAST_WIDTH = 240;
/** The width reserved for the tooltip, so that it stays inside the chart. */
const TIP_PX = 245;
/** Below the plot and its labels. */
const BELOW = HEIGHT + 44;
/** Between a bucket and its values. */
const GAP = 8;
const EMPTY_TEXT = 'No one read.';

interface Props {
  title: string;
  chart: Chart;
  measure: Measure;
  /** Levels that are not faint. */
  chosen: readonly number[];
}

/** A chart over time: lines of accuracy, or stacked bars of time. The arrow keys go from one bucket to the next. */
export function BucketChart({ title, chart, measure, chosen }: Props) {
  const root = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const observer = new ResizeObserver(() => setWidth(root.current?.offsetWidth ?? 0));
    if (root.current) observer.observe(root.current);
    return () => observer.disconnect();
  }, []);
  const [active, setActive] = useState<number | null>(null);
  const { labels, series } = chart;
  const bucket = chart.bucket ?? 'day';
  const last = labels.length - 1;
  const shown = active === null ? null : Math.min(active, last);

  const move = (event: KeyboardEvent) => {
    const from = shown ?? last;
    const to: Record<string, number> = {
      ArrowLeft: from - 1,
      ArrowDown: from - 1,
      ArrowRight: from + 1,
      ArrowUp: from + 1,
      Home: 0,
      End: last,
    };
    const next = to[event.key];
    if (event.key === 'Escape') setActive(null);
    if (next === undefined) return;
    event.preventDefault();
    setActive(Math.max(0, Math.min(last, next)));
  };

  const values = (index: number) =>
    series.map(({ level, name, data }) => ({ level, name, value: data[index] ?? null }));
  const describe = (index: number) => {
    const parts = values(index).flatMap(({ name, value }) =>
      hasReading(measure, value) ? `${name} ${measure.format(value)}` : [],
    );
    return `${fullBucket(bucket, labels[index] ?? '')}: ${parts.join(', ') || EMPTY_TEXT}`;
  };

  return (
    <div
      ref={root}
      className={css.chart}
      role="slider"
      tabIndex={0}
      aria-label={`${title}, one point after the other`}
      aria-valuemin={0}
      aria-valuemax={Math.max(0, last)}
      aria-valuenow={shown ?? Math.max(0, last)}
      aria-valuetext={describe(shown ?? last)}
      onKeyDown={move}
      onFocus={(event) => event.currentTarget.matches(':focus-visible') && setActive((index) => index ?? last)}
      onBlur={() => setActive(null)}
      onPointerLeave={() => setActive(null)}
      onPointerMove={(event) => {
        const box = event.currentTarget.getBoundingClientRect();
        const offset = ((event.clientX - box.left - LEFT) / (box.width - BESIDE)) * labels.length;
        setActive(offset < 0 || offset >= labels.length ? null : Math.floor(offset));
      }}
    >
      <BucketDrawing
        chart={chart}
        axis={measure.axis(series.flatMap(({ data }) => data).filter((value) => value !== null))}
        measure={measure}
        height={HEIGHT}
        width={Math.max(LEAST_WIDTH, width - BESIDE)}
        active={shown}
        chosen={chosen}
      />
      {shown !== null && (
        <ValueTip
          title={fullBucket(bucket, labels[shown] ?? '')}
          measure={measure}
          values={values(shown)}
          marks={measure.marks.overTime}
          emptyText={EMPTY_TEXT}
          position={tipBeside(bandOf(shown, labels.length), width)}
        />
      )}
    </div>
  );
}

/** Puts the tooltip on the side of the bucket with more space, or below the chart if neither side has enough. */
function tipBeside({ start, middle, width: share }: Band, width: number) {
  const plot = width - BESIDE;
  const isLeft = middle > 50;
  const edge = LEFT + (plot * (isLeft ? start : start + share)) / 100;
  const hasRoom = isLeft ? edge - GAP >= TIP_PX : edge + GAP + TIP_PX <= width;
  if (hasRoom) return { x: isLeft ? edge - GAP : edge + GAP, y: 16, isLeft };
  return { x: isLeft ? width : 0, y: BELOW, isLeft };
}
