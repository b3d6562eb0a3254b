import { useId } from 'react';
import type { Chart } from '#contract/calls/charts.ts';
import { seriesLook } from '../../../ui/series.ts';
import type { Axis } from '../model/axis.ts';
import { bandOf, depthOf, runsOf, stack } from '../model/bucket-geometry.ts';
import { labelsWithRoom, shortBucket } from '../model/bucket-labels.ts';
import css from './BucketDrawing.module.css';
import { LevelPatterns, patternId } from './LevelPatterns.tsx';
import { Marker } from './Marker.tsx';
import type { Measure } from '../model/measures.ts';

interface Props {
  chart: Chart;
  axis: Axis;
  measure: Measure;
  /** Of the plot, in pixels. */
  height: number;
  /** Of the plot: it decides how many labels are written. All else is drawn in shares of it. */
  width: number;
  active: number | null;
  /** Levels whose lines are as strong as the total's. */
  chosen: readonly number[];
}

type Scale = (value: number) => number;

/** The drawing of a chart over time, with the labels of its axes outside of its box. */
export function BucketDrawing({ chart, axis, measure, height, width, active, chosen }: Props) {
  const { labels, bucket } = chart;
  const y: Scale = (value) => depthOf(value, axis, height);
  const written = new Set(labelsWithRoom(labels, width));
  const across = (index: number) => bandOf(index, labels.length);
  return (
    <svg className={css.plot} width="100%" height={height} aria-hidden>
      {active !== null && (
        <rect
          x={`${across(active).start}%`}
          width={`${across(active).width}%`}
          height={height}
          rx={4}
          className={css.highlight}
        />
      )}
      {axis.ticks.map((tick) => (
        <g key={tick}>
          <line x2="100%" y1={y(tick)} y2={y(tick)} className={css.grid} />
          <text x={-10} y={y(tick)} className={css.value}>
            {axis.format(tick)}
          </text>
        </g>
      ))}
      {measure === 'accuracy' ? (
        <Lines chart={chart} y={y} height={height} chosen={chosen} />
      ) : (
        <Bars chart={chart} y={y} />
      )}
      <line x2="100%" y1={height} y2={height} className={css.ground} />
      {labels.map(
        (day, index) =>
          written.has(day) && (
            <text key={day} x={`${across(index).middle}%`} y={height + 20} className={css.bucket}>
              {shortBucket(bucket ?? 'day', day)}
            </text>
          ),
      )}
    </svg>
  );
}

interface LinesProps {
  chart: Chart;
  y: Scale;
  height: number;
  chosen: readonly number[];
}

/** The total strong, levels faint until they are chosen. A bucket without reading breaks the line. */
function Lines({ chart: { labels, series }, y, height, chosen }: LinesProps) {
  const across = (index: number) => bandOf(index, labels.length).middle;
  const isStrong = (level: number | null) => level === null || chosen.includes(level);
  // What is strong lies above what is faint.
  const lines = series
    .map((one) => ({ ...one, runs: runsOf(one.data), strong: isStrong(one.level) }))
    .sort((one, other) => Number(one.strong) - Number(other.strong));
  return (
    <>
      <svg viewBox={`0 0 100 ${height}`} preserveAspectRatio="none" width="100%" height={height} overflow="visible">
        {lines.map(({ level, name, runs, strong }) =>
          runs.map((run) => (
            <polyline
              key={`${name} ${run[0]?.index}`}
              points={run.map(({ index, value }) => `${across(index).toFixed(2)},${y(value).toFixed(1)}`).join(' ')}
              className={css.line}
              data-faint={!strong || undefined}
              stroke={seriesLook(level).colour}
              strokeWidth={level === null ? 3 : strong ? 2.25 : 1.5}
              strokeDasharray={seriesLook(level).dash}
            />
          )),
        )}
      </svg>
      {lines.map(({ level, name, runs, strong }) =>
        runs.map((run) =>
          run.map(
            ({ index, value }) =>
              // A faint line needs no marks; a point that no line leads to does.
              (strong || run.length === 1) && (
                <svg
                  key={`${name} ${index}`}
                  x={`${across(index)}%`}
                  y={y(value)}
                  overflow="visible"
                  className={css.point}
                  data-faint={!strong || undefined}
                >
                  <Marker look={seriesLook(level)} size={level === null ? 4.5 : strong ? 4 : 3} />
                </svg>
              ),
          ),
        ),
      )}
    </>
  );
}

/** The levels one upon the other. */
function Bars({ chart: { labels, series }, y }: { chart: Chart; y: Scale }) {
  const patterns = useId();
  const levels = series.filter(({ level }) => level !== null);
  const stacked = stack(levels);
  return (
    <>
      <LevelPatterns id={patterns} levels={levels.map(({ level }) => level)} />
      {levels.map(({ level, name }, order) =>
        stacked[order]?.map(({ from, to }, index) => {
          const { start, width } = bandOf(index, labels.length);
          return (
            to > from && (
              <rect
                key={`${name} ${index}`}
                x={`${start}%`}
                width={`${width}%`}
                y={y(to)}
                height={y(from) - y(to)}
                fill={`url(#${patternId(patterns, level)})`}
                className={css.bar}
              />
            )
          );
        }),
      )}
    </>
  );
}
