import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import type { Chart } from '#contract/calls/charts.ts';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { ChartPanel } from '../../../../ui/ChartPanel.tsx';
import { useDelayed } from '../../../../ui/use-delayed.ts';
import { chartQuery, type Scope } from '../dashboard.api.ts';
import type { ChartKind } from '../model/charts.ts';
import { averageChange, totalChange } from '../model/changes.ts';
import { BucketChart } from './BucketChart.tsx';
import { ChartTable } from './ChartTable.tsx';
import css from './DashboardChart.module.css';
import { Legend } from './Legend.tsx';
import { markKind } from '../model/mark-kind.ts';
import { hasReading } from '../model/measures.ts';
import { countBands } from '../model/pupil-rows.ts';
import type { ShownComparison } from '../model/use-comparison.ts';
import { usePupilList } from '../model/use-pupil-list.ts';
import { PupilBars } from './PupilBars.tsx';
import { PupilTools } from './PupilTools.tsx';

interface Props {
  kind: ChartKind;
  scope: Scope;
  paperNote: string;
  shownComparison: ShownComparison;
  /** On a phone only its figures are visible until the user unfolds it. */
  isFoldedOnPhone: boolean;
}

/** One chart with its figures. The previous chart stays visible while a new one loads. */
export function DashboardChart({ kind, scope, paperNote, shownComparison, isFoldedOnPhone }: Props) {
  const { name, title, measure, along } = kind;
  const query = useQuery({
    ...chartQuery(name, scope),
    placeholderData: keepPreviousData,
  });
  const chart = query.data?.chart;
  const { comparison } = shownComparison;
  const isLate = useDelayed(query.isPlaceholderData);
  const isEmpty = chart !== undefined && !hasValues(chart, kind);
  const list = usePupilList(along === 'pupils' && !isEmpty ? chart : undefined, measure.initialOrder);
  const [chosenLevels, setChosenLevels] = useState<readonly number[]>([]);
  const marks = along === 'time' ? measure.marks.overTime : measure.marks.byPupil;
  const bands = measure.bands && list.order !== 'name' ? countBands(list.rows, measure.bands) : undefined;

  const figure = (value: number | null | undefined) =>
    !chart ? '\u00a0' : value === null || value === undefined ? '–' : measure.formatFigure(value);
  return (
    <ChartPanel
      title={title}
      name={scope.pupilId === undefined ? name : `pupil_${name}`}
      paperNote={paperNote}
      isFoldedOnPhone={isFoldedOnPhone}
      isOnScreenOnly={along === 'pupils'}
      definition={kind.definition}
      isLoading={!chart && !query.error}
      isEmpty={isEmpty}
      failure={query.error && !chart && <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />}
      figures={
        <dl className={css.figures} data-stale={isLate || shownComparison.isStale || undefined}>
          {kind.averageLabel && (
            <Figure
              label={kind.averageLabel}
              value={figure(chart?.average)}
              change={comparison && averageChange(measure, comparison)}
            />
          )}
          {kind.totalLabel && (
            <Figure
              label={kind.totalLabel}
              value={figure(chart?.total)}
              change={comparison && totalChange(measure, comparison)}
            />
          )}
        </dl>
      }
      tools={along === 'pupils' && <PupilTools title={title} measure={measure} list={list} />}
      legend={
        marks !== 'mark' && (
          <Legend
            title={title}
            marks={marks}
            series={isEmpty || !chart ? [] : chart.series.filter(({ level }) => markKind(marks, level) !== 'sum')}
            {...(marks === 'line' && {
              chosen: chosenLevels,
              onChoose: (level: number) =>
                setChosenLevels(
                  chosenLevels.includes(level)
                    ? chosenLevels.filter((chosen) => chosen !== level)
                    : [...chosenLevels, level],
                ),
            })}
          />
        )
      }
      table={
        chart && (
          <ChartTable
            title={title}
            chart={chart}
            measure={measure}
            {...(along === 'pupils' && { pupils: list.visibleRows })}
          />
        )
      }
    >
      {chart && (
        <div className={css.chart} data-stale={isLate || undefined}>
          {/* React hydrates each chart by itself, after the rest of the page. */}
          <Suspense fallback={null}>
            {along === 'time' ? (
              <BucketChart title={title} chart={chart} measure={measure} chosen={chosenLevels} />
            ) : (
              // A new page or order is shown from its top.
              <PupilBars
                key={`${list.order} ${list.page}`}
                title={title}
                rows={list.visibleRows}
                axis={measure.axis(list.rows.flatMap(({ total }) => total ?? []))}
                measure={measure}
                {...(bands && { bands })}
              />
            )}
          </Suspense>
        </div>
      )}
    </ChartPanel>
  );
}

interface FigureProps {
  label: string;
  value: string;
  change: string | false | null | undefined;
}

/** A figure and how it has changed. */
const Figure = ({ label, value, change }: FigureProps) => (
  <div>
    <dt>{label}</dt>
    <dd className={css.value}>{value}</dd>
    {change && <dd className={`small ${css.change}`}>{change}</dd>}
  </div>
);

const hasValues = ({ series }: Chart, { measure }: ChartKind): boolean =>
  series.some(({ data }) => data.some((value) => hasReading(measure, value)));
