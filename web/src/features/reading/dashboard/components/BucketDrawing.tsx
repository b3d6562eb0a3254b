import { useId } from 'react';
import type { Chart } from '#contract/calls/charts.ts';
import { seriesLook } from '../../../../ui/series.ts';
import type { Axis } from '../model/axis.ts';
import { bandOf, depthOf, runsOf, stack } from '../model/bucket-geometry.ts';
import { labelsWithRoom, shortBucket } from '../model/bucket-labels.ts';
import css from './BucketDrawing.module.css';
import fill from './Fill.module.css';
import { LevelPatterns, patternId } from './LevelPatterns.tsx';
import { Marker } from './Marker.tsx';
import type { Measure } from '../model/measures.ts';

interface Props {
  chart: Chart;
  axis: Axis;
  measure: Measure;
  /** The height of the plot, in pixels. */
  height: number;
  /** The width of the plot, which decides how many labels fit. Everything else is positioned in per cent. */
  width: number;
  active: number | null;
  /** Levels with lines as strong as the total's. */
  chosen: readonly number[];
}

type Scale = (value: number) => number;

/** A chart over time as SVG. The labels of its axes overflow its box. */
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
      {measure.marks.overTime === 'line' ? (
        <Lines chart={chart} y={y} height={height} chosen={chosen} />
      ) : (
        <Bars chart={chart} y={y} width={width} />
      )}
      <line x2="100%" y1={height} y2={height} className={css.ground} />
      {labels.map(
        (day, index) =>
          written.has(day) && (
            <text key={day} x={`${across(index).middle}%`} y={height} dy="1.25rem" className={css.bucket}>
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

/** The total is strong, levels are faint until chosen. A bucket without reading breaks the line. */
function Lines({ chart: { labels, series }, y, height, chosen }: LinesProps) {
  const across = (index: number) => bandOf(index, labels.length).middle;
  const isStrong = (level: number | null) => level === null || chosen.includes(level);
  // Strong lines are above faint ones.
  const lines = series
    .map((line) => ({ ...line, runs: runsOf(line.data), strong: isStrong(line.level) }))
    .sort((a, b) => Number(a.strong) - Number(b.strong));
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
              // A faint line has no markers, except for a single point.
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

/** The smallest bar that its level's number fits into, in pixels. */
const NUMBERED = { width: 12, height: 13 };

/** Stacked bars, one layer per level, with its number where it fits. */
function Bars({ chart: { labels, series }, y, width: plotWidth }: { chart: Chart; y: Scale; width: number }) {
  const patterns = useId();
  const levels = series.filter(({ level }) => level !== null);
  const stacked = stack(levels);
  return (
    <>
      <LevelPatterns id={patterns} levels={levels.map(({ level }) => level)} />
      {levels.map(({ level, name }, order) =>
        stacked[order]?.map(({ from, to }, index) => {
          const { start, middle, width } = bandOf(index, labels.length);
          const height = y(from) - y(to);
          const isNumbered = (width / 100) * plotWidth >= NUMBERED.width && height >= NUMBERED.height;
          return (
            to > from && (
              <g key={`${name} ${index}`}>
                <rect
                  x={`${start}%`}
                  width={`${width}%`}
                  y={y(to)}
                  height={height}
                  fill={`url(#${patternId(patterns, level)})`}
                  className={css.bar}
                />
                {isNumbered && (
                  <text
                    x={`${middle}%`}
                    y={y(to) + height / 2}
                    className={`${fill.fill} ${css.number}`}
                    data-level={level}
                  >
                    {level}
                  </text>
                )}
              </g>
            )
          );
        }),
      )}
    </>
  );
}
