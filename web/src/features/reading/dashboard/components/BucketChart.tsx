import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import type { Chart } from '#contract/calls/charts.ts';
import css from './BucketDrawing.module.css';
import { BucketDrawing } from './BucketDrawing.tsx';
import { type Band, bandOf } from '../model/bucket-geometry.ts';
import { fullBucket } from '../model/bucket-labels.ts';
import { hasReading, type Measure } from '../model/measures.ts';
import { useIsPrinting } from '../../../../ui/use-is-printing.ts';
import { ValueTip } from './ValueTip.tsx';

const HEIGHT_PX = 308;
/** On paper a chart fits below the list of pupils who need help. */
const PAPER_HEIGHT_PX = 200;
/** The space above and below the plot, for the labels. */
const LABELS_PX = 42;
/** The plot’s left and both horizontal margins, equal to those in BucketDrawing.module.css. */
const LEFT_MARGIN_PX = 62;
const MARGINS_PX = 90;
/** The width of the plot on a phone, assumed until it is measured. */
const MIN_WIDTH_PX = 240;
/** The width reserved for the tooltip, so that it stays inside the chart. */
const TIP_WIDTH_PX = 245;
/** The top of a tooltip below the plot and its labels. */
const TIP_BELOW_PX = HEIGHT_PX + 44;
/** Between a bucket and its tooltip. */
const TIP_GAP_PX = 8;
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
  const height = useIsPrinting() ? PAPER_HEIGHT_PX : HEIGHT_PX;
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
      style={{ height: height + LABELS_PX }}
      role="slider"
      tabIndex={0}
      aria-label={`${title}, point by point`}
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
        const offset = ((event.clientX - box.left - LEFT_MARGIN_PX) / (box.width - MARGINS_PX)) * labels.length;
        setActive(offset < 0 || offset >= labels.length ? null : Math.floor(offset));
      }}
    >
      <BucketDrawing
        chart={chart}
        axis={measure.axis(series.flatMap(({ data }) => data).filter((value) => value !== null))}
        measure={measure}
        height={height}
        width={Math.max(MIN_WIDTH_PX, width - MARGINS_PX)}
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
  const plot = width - MARGINS_PX;
  const isLeft = middle > 50;
  const edge = LEFT_MARGIN_PX + (plot * (isLeft ? start : start + share)) / 100;
  const hasRoom = isLeft ? edge - TIP_GAP_PX >= TIP_WIDTH_PX : edge + TIP_GAP_PX + TIP_WIDTH_PX <= width;
  if (hasRoom) return { x: isLeft ? edge - TIP_GAP_PX : edge + TIP_GAP_PX, y: 16, isLeft };
  return { x: isLeft ? width : 0, y: TIP_BELOW_PX, isLeft };
}
