import { useElementSize } from '@mantine/hooks';
import { useState, type KeyboardEvent } from 'react';
import type { Chart } from '#contract/calls/charts.ts';
import { accuracyAxis, axisFor, type Axis } from '../model/axis.ts';
import css from './BucketChart.module.css';
import { BucketDrawing } from './BucketDrawing.tsx';
import { type Band, bandOf } from '../model/bucket-geometry.ts';
import { fullBucket } from '../model/bucket-labels.ts';
import { hasReading, inWords, type Measure } from '../model/measures.ts';
import { drawnOverTime } from '../model/drawn.ts';
import { ValueTip } from './ValueTip.tsx';

/** Of the plot, and of what is left free beside it: as in BucketDrawing.module.css. */
const HEIGHT = 308;
const LEFT = 62;
const BESIDE = 90;
/** The plot on a telephone: as wide it is taken to be until it is measured. */
const LEAST_WIDTH = 240;
/** Width that the values of a bucket may take: they stay inside the chart. */
const TIP_PX = 245;
/** Under the plot and its labels. */
const BELOW = HEIGHT + 44;
/** Between a bucket and its values. */
const GAP = 8;
const NOBODY = 'Nobody read.';

interface Props {
  title: string;
  chart: Chart;
  measure: Measure;
  /** Levels that are not faint. */
  chosen: readonly number[];
}

/** A chart over time: lines of accuracy, or stacked bars of time. The arrow keys go from one bucket to the next. */
export function BucketChart({ title, chart, measure, chosen }: Props) {
  const { ref, width } = useElementSize<HTMLDivElement>();
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
    const parts = values(index).filter(({ value }) => hasReading(measure, value));
    const text = parts.map(({ name, value }) => `${name} ${inWords(measure, value)}`).join(', ');
    return `${fullBucket(bucket, labels[index] ?? '')}: ${text || NOBODY}`;
  };

  return (
    <div
      ref={ref}
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
        axis={axisOf(chart, measure)}
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
          drawn={drawnOverTime(measure)}
          none={NOBODY}
          position={tipBeside(bandOf(shown, labels.length), width)}
        />
      )}
    </div>
  );
}

/** The values of a bucket stand beside it, on the side with more room; under the chart where neither side has enough. */
function tipBeside({ start, middle, width: share }: Band, width: number) {
  const plot = width - BESIDE;
  const isLeft = middle > 50;
  const edge = LEFT + (plot * (isLeft ? start : start + share)) / 100;
  const hasRoom = isLeft ? edge - GAP >= TIP_PX : edge + GAP + TIP_PX <= width;
  if (hasRoom) return { x: isLeft ? edge - GAP : edge + GAP, y: 16, isLeft };
  return { x: isLeft ? width : 0, y: BELOW, isLeft };
}

function axisOf({ series }: Chart, measure: Measure): Axis {
  const values = series.flatMap(({ data }) => data).filter((value) => value !== null);
  if (measure === 'accuracy') return accuracyAxis(values.length > 0 ? Math.min(...values) : 0);
  return axisFor(measure, Math.max(0, ...values));
}
