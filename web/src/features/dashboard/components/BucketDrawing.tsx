import { useId } from 'react';
import type { Chart } from '#contract/calls/charts.ts';
import { seriesLook } from '../../../ui/series.ts';
import type { Axis } from '../model/axis.ts';
import { bandOf, depthOf, pointsOf, stack } from '../model/bucket-geometry.ts';
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
}

type Scale = (value: number) => number;

/** The drawing of a chart over time, with the labels of its axes outside of its box. */
export function BucketDrawing({ chart, axis, measure, height, width, active }: Props) {
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
      {measure === 'accuracy' ? <Lines chart={chart} y={y} height={height} /> : <Bars chart={chart} y={y} />}
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

/** A bucket without reading has no point, and the line goes on from the one before it. */
function Lines({ chart: { labels, series }, y, height }: { chart: Chart; y: Scale; height: number }) {
  const across = (index: number) => bandOf(index, labels.length).middle;
  return (
    <>
      <svg viewBox={`0 0 100 ${height}`} preserveAspectRatio="none" width="100%" height={height} overflow="visible">
        {series.map(({ level, name, data }) => (
          <polyline
            key={name}
            points={pointsOf(data)
              .map(({ index, value }) => `${across(index).toFixed(2)},${y(value).toFixed(1)}`)
              .join(' ')}
            className={css.line}
            stroke={seriesLook(level).colour}
            strokeWidth={level === null ? 3 : 1.75}
            strokeDasharray={seriesLook(level).dash}
          />
        ))}
      </svg>
      {series.map(({ level, name, data }) =>
        pointsOf(data).map(({ index, value }) => (
          <svg key={`${name} ${index}`} x={`${across(index)}%`} y={y(value)} overflow="visible">
            <Marker look={seriesLook(level)} size={level === null ? 4.5 : 3.5} />
          </svg>
        )),
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
