import {
  Axis as ChartAxis,
  BarSeries,
  BarStack,
  buildChartTheme,
  DataContext,
  LineSeries,
  XYChart,
} from '@visx/xychart';
import { useContext, useId, type ReactNode } from 'react';
import type { Chart } from '#contract/calls/charts.ts';
import { seriesLook } from '../../../ui/series.ts';
import type { Axis } from '../model/axis.ts';
import { labelsWithRoom, shortBucket } from '../model/bucket-labels.ts';
import { LevelPatterns, patternId } from './LevelPatterns.tsx';
import { Marker } from './Marker.tsx';
import type { Measure } from '../model/measures.ts';

interface Props {
  chart: Chart;
  axis: Axis;
  measure: Measure;
  width: number;
  height: number;
  margin: { top: number; right: number; bottom: number; left: number };
  active: number | null;
}

interface Point {
  label: string;
  value: number;
}

const label = { fill: 'var(--ink-soft)', fontSize: 13, fontWeight: 400, letterSpacing: 0, stroke: 'none' } as const;
const theme = buildChartTheme({
  backgroundColor: 'transparent',
  colors: [],
  tickLength: 6,
  gridColor: 'var(--line)',
  gridColorDark: 'var(--edge)',
  svgLabelSmall: label,
  svgLabelBig: label,
});

const labelOf = (point: Point) => point.label;
const valueOf = (point: Point) => point.value;

/** The drawing of a chart over time. In a file of its own with the library that it needs. */
export default function BucketDrawing({
  chart: { labels, series, bucket },
  axis,
  measure,
  width,
  height,
  margin,
  active,
}: Props) {
  const patterns = useId();
  const levels = series.filter(({ level }) => level !== null);
  const written = labelsWithRoom(labels, width - margin.left - margin.right);
  const points = (data: readonly (number | null)[]) =>
    labels.map((day, index) => ({ label: day, value: data[index] ?? 0 }));
  // A day without reading has no point, and the line goes on from the day before it.
  const known = (data: readonly (number | null)[]) => points(data).filter((_, index) => data[index] !== null);

  return (
    <XYChart
      width={width}
      height={height}
      margin={margin}
      theme={theme}
      captureEvents={false}
      xScale={{ type: 'band', domain: labels, paddingInner: 0.24, paddingOuter: 0.12 }}
      yScale={{ type: 'linear', domain: [axis.min, axis.max], zero: false }}
    >
      <Highlight index={active} />
      <GridLines values={axis.ticks} />
      {measure === 'accuracy' ? (
        series.map(({ level, name, data }) => (
          <LineSeries
            key={name}
            dataKey={name}
            data={known(data)}
            xAccessor={labelOf}
            yAccessor={valueOf}
            enableEvents={false}
            stroke={seriesLook(level).colour}
            strokeWidth={level === null ? 3 : 1.75}
            strokeDasharray={seriesLook(level).dash}
            strokeLinejoin="round"
          />
        ))
      ) : (
        <Bars>
          <LevelPatterns id={patterns} levels={levels.map(({ level }) => level)} />
          <BarStack enableEvents={false}>
            {levels.map(({ level, name, data }) => (
              <BarSeries
                key={name}
                dataKey={name}
                data={points(data)}
                xAccessor={labelOf}
                yAccessor={valueOf}
                colorAccessor={() => `url(#${patternId(patterns, level)})`}
              />
            ))}
          </BarStack>
        </Bars>
      )}
      {measure === 'accuracy' &&
        series.map(({ level, name, data }) => <Marks key={name} level={level} points={known(data)} />)}
      <ChartAxis
        orientation="left"
        hideAxisLine
        hideTicks
        tickValues={axis.ticks}
        tickFormat={axis.format}
        tickLabelProps={{ ...label, textAnchor: 'end', verticalAnchor: 'middle', dx: '-0.3em', dy: 0 }}
      />
      <ChartAxis
        orientation="bottom"
        hideTicks
        stroke="var(--edge)"
        tickValues={written}
        tickFormat={(day: string) => shortBucket(bucket ?? 'day', day)}
        tickLabelProps={{ ...label, textAnchor: 'middle', dy: '0.35em' }}
      />
    </XYChart>
  );
}

const Bars = ({ children }: { children: ReactNode }) => <g stroke="var(--surface)">{children}</g>;

/** The scales as this chart sets them up: a band of labels, and numbers. */
function useScales() {
  const { xScale, yScale, innerHeight, innerWidth, margin } = useContext(DataContext);
  const across = xScale && 'bandwidth' in xScale ? xScale : undefined;
  const width = across?.bandwidth() ?? 0;
  // Until the library has taken in the series its scale is that of another size.
  const isReady =
    yScale !== undefined &&
    Math.round(Number(yScale.range()[0])) === Math.round((innerHeight ?? 0) + (margin?.top ?? 0));
  return {
    startOf: (day: string) => Number(across?.(day)),
    width,
    heightOf: (value: number) => Number(yScale?.(value)),
    domain: (across?.domain() ?? []) as string[],
    innerHeight,
    innerWidth,
    margin,
    isReady,
  };
}

/** A line across at each marked value. The library's own grid takes a number of lines only. */
function GridLines({ values }: { values: readonly number[] }) {
  const { heightOf, innerWidth, margin, isReady } = useScales();
  if (!innerWidth || !isReady) return null;
  return values.map((value) => (
    <line
      key={value}
      x1={margin?.left}
      x2={(margin?.left ?? 0) + innerWidth}
      y1={heightOf(value)}
      y2={heightOf(value)}
      stroke="var(--line)"
    />
  ));
}

/** A shade behind the bucket that is looked at. */
function Highlight({ index }: { index: number | null }) {
  const { startOf, width, domain, innerHeight, margin } = useScales();
  const day = index === null ? undefined : domain[index];
  if (day === undefined || !innerHeight) return null;
  return (
    <rect
      x={startOf(day) - 2}
      y={margin?.top ?? 0}
      width={width + 4}
      height={innerHeight}
      rx={4}
      fill="var(--surface-hover)"
    />
  );
}

function Marks({ level, points }: { level: number | null; points: readonly Point[] }) {
  const { startOf, width, heightOf } = useScales();
  const look = seriesLook(level);
  return points.map((point) => {
    const x = startOf(point.label) + width / 2;
    const y = heightOf(point.value);
    return (
      Number.isFinite(x) &&
      Number.isFinite(y) && <Marker key={point.label} look={look} x={x} y={y} size={level === null ? 4.5 : 3.5} />
    );
  });
}
