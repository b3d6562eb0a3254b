import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Suspense, useMemo, useState } from 'react';
import type { Chart, Comparison } from '#contract/calls/charts.ts';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { ChartPanel } from '../../../ui/ChartPanel.tsx';
import { useDelayed } from '../../../ui/use-delayed.ts';
import { useIsPrinting } from '../../../ui/use-is-printing.ts';
import { chartQuery, type Scope } from '../dashboard.api.ts';
import { accuracyAxis, type Axis, axisFor } from '../model/axis.ts';
import type { ChartKind } from '../model/charts.ts';
import { averageChange, totalChange } from '../model/changes.ts';
import { drawnByPupil, drawnOverTime } from '../model/drawn.ts';
import { BucketChart } from './BucketChart.tsx';
import { ChartTable } from './ChartTable.tsx';
import css from './DashboardChart.module.css';
import { DownloadChart } from './DownloadChart.tsx';
import { Legend } from './Legend.tsx';
import { asFigure, hasReading, type Measure } from '../model/measures.ts';
import {
  countBands,
  orderPupils,
  pageSizeFor,
  type PupilOrder,
  type PupilRow,
  pupilRows,
} from '../model/pupil-rows.ts';
import { PupilBars } from './PupilBars.tsx';
import { PupilTools } from './PupilTools.tsx';

interface Props {
  kind: ChartKind;
  scope: Scope;
  paperNote: string;
  /** How the figures have changed; absent where there is nothing to compare with. */
  comparison?: Comparison | null | undefined;
  /** On a phone only its figures are seen at first. */
  isFolded: boolean;
}

/** One chart with its figures. The old one stays while a new one comes. */
export function DashboardChart({ kind, scope, paperNote, comparison, isFolded }: Props) {
  const { name, title, measure, along } = kind;
  const query = useQuery({ ...chartQuery(name, scope), placeholderData: keepPreviousData });
  const chart = query.data?.chart;
  const isLate = useDelayed(query.isPlaceholderData);
  const [order, setOrder] = useState<PupilOrder>(measure === 'accuracy' ? 'lowest' : 'name');
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const [page, setPage] = useState(1);

  const rows = useMemo(
    () => (chart && along === 'pupils' ? orderPupils(pupilRows(chart), order) : []),
    [chart, along, order],
  );
  const size = pageSizeFor(rows.length);
  const pages = Math.max(1, Math.ceil(rows.length / size));
  const shownPage = Math.min(page, pages);
  const isPrinting = useIsPrinting();
  const visibleRows = useMemo(
    () => (isPrinting ? rows : rows.slice((shownPage - 1) * size, shownPage * size)),
    [isPrinting, rows, shownPage, size],
  );
  const bands = measure === 'accuracy' && order !== 'name' ? countBands(rows) : undefined;
  const isEmpty = chart !== undefined && !hasAnything(chart, kind);

  const figure = (value: number | null | undefined) => (chart ? asFigure(measure, value ?? null) : '\u00a0');
  return (
    <ChartPanel
      title={title}
      paperNote={paperNote}
      isFolded={isFolded}
      definition={kind.definition}
      isLoading={!chart && !query.error}
      isEmpty={isEmpty}
      failure={query.error && <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />}
      figures={
        <dl className={css.figures} data-late={isLate || undefined}>
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
      tools={
        along === 'pupils' && (
          <PupilTools
            title={title}
            rows={isEmpty ? [] : rows}
            measure={measure}
            order={order}
            onOrder={(next) => {
              setOrder(next);
              setPage(1);
            }}
            page={shownPage}
            pages={pages}
            size={size}
            onPage={setPage}
          />
        )
      }
      legend={
        !(measure === 'accuracy' && along === 'pupils') && (
          <Legend
            title={title}
            series={
              isEmpty || !chart ? [] : chart.series.filter(({ level }) => level !== null || measure === 'accuracy')
            }
            drawn={along === 'time' ? drawnOverTime(measure) : drawnByPupil(measure)}
            {...(measure === 'accuracy' && {
              chosen,
              onChoose: (level: number) =>
                setChosen(chosen.includes(level) ? chosen.filter((one) => one !== level) : [...chosen, level]),
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
            {...(along === 'pupils' && { pupils: visibleRows })}
          />
        )
      }
      download={<DownloadChart name={name} title={title} scope={scope} />}
    >
      {chart && (
        <div className={css.chart} data-late={isLate || undefined}>
          {/* React hydrates each chart by itself, after the rest of the page. */}
          <Suspense fallback={null}>
            {along === 'time' ? (
              <BucketChart title={title} chart={chart} measure={measure} chosen={chosen} />
            ) : (
              // A new page or order begins at its top.
              <PupilBars
                key={`${order} ${shownPage}`}
                title={title}
                rows={visibleRows}
                axis={axisOf(rows, measure)}
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

/** A figure with how it has changed. */
const Figure = ({ label, value, change }: FigureProps) => (
  <div>
    <dt>{label}</dt>
    <dd className={css.value}>{value}</dd>
    {change && <dd className={css.change}>{change}</dd>}
  </div>
);

/** The axis of all pupils, whichever of them are shown. */
function axisOf(rows: readonly PupilRow[], measure: Measure): Axis {
  const values = rows.flatMap(({ total }) => total ?? []);
  return measure === 'accuracy' ? accuracyAxis(Math.min(100, ...values)) : axisFor(measure, Math.max(0, ...values));
}

const hasAnything = ({ series }: Chart, { measure }: ChartKind): boolean =>
  series.some(({ data }) => data.some((value) => hasReading(measure, value)));
