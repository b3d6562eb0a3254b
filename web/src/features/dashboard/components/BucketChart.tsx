import { useElementSize } from '@mantine/hooks';
import { lazy, Suspense, useState, type KeyboardEvent } from 'react';
import type { Chart } from '#contract/calls/charts.ts';
import { accuracyAxis, axisFor, type Axis } from '../model/axis.ts';
import css from './BucketChart.module.css';
import { fullBucket } from '../model/bucket-labels.ts';
import { hasReading, inWords, type Measure } from '../model/measures.ts';
import type { Drawn } from './Swatch.tsx';
import { ValueTip } from './ValueTip.tsx';

// The drawing library is heavy: figures, legend and table stand before it is there.
const Drawing = lazy(() => import('./BucketDrawing.tsx'));

const HEIGHT = 350;
/** Width that the values of a bucket may take: they stay inside the chart. */
const TIP_PX = 245;
const MARGIN = { top: 12, right: 28, bottom: 30, left: 62 };
const NOBODY = 'Nobody read.';

export const drawnOverTime =
  (measure: Measure) =>
  (level: number | null): Drawn =>
    measure === 'accuracy' ? 'line' : level === null ? 'mark' : 'bar';

/** A chart over time: lines of accuracy, or stacked bars of time. The arrow keys go from one bucket to the next. */
export function BucketChart({ title, chart, measure }: { title: string; chart: Chart; measure: Measure }) {
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
  const step = (width - MARGIN.left - MARGIN.right) / Math.max(1, labels.length);
  const x = shown === null ? 0 : MARGIN.left + (shown + 0.5) * step;
  const isLeft = x > width / 2;

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
        const offset = (event.clientX - event.currentTarget.getBoundingClientRect().left - MARGIN.left) / step;
        setActive(offset < 0 || offset >= labels.length ? null : Math.floor(offset));
      }}
    >
      {width > 0 && (
        <Suspense fallback={null}>
          <Drawing
            chart={chart}
            axis={axisOf(chart, measure)}
            measure={measure}
            width={width}
            height={HEIGHT}
            margin={MARGIN}
            active={shown}
          />
        </Suspense>
      )}
      {shown !== null && (
        <ValueTip
          title={fullBucket(bucket, labels[shown] ?? '')}
          measure={measure}
          values={values(shown)}
          drawn={drawnOverTime(measure)}
          none={NOBODY}
          position={{ x: isLeft ? Math.max(TIP_PX, x - 12) : Math.min(width - TIP_PX, x + 12), y: 16, isLeft }}
        />
      )}
    </div>
  );
}

function axisOf({ series }: Chart, measure: Measure): Axis {
  const values = series.flatMap(({ data }) => data).filter((value) => value !== null);
  if (measure === 'accuracy') return accuracyAxis(values.length > 0 ? Math.min(...values) : 0);
  return axisFor(measure, Math.max(0, ...values));
}
