import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { Chart } from '#contract/calls/charts.ts';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { ChartPanel } from '../../../ui/ChartPanel.tsx';
import { useDelayed } from '../../../ui/use-delayed.ts';
import { chartQuery, type Scope } from '../dashboard.api.ts';
import { axisFor } from '../model/axis.ts';
import type { ChartKind } from '../model/charts.ts';
import { drawnByPupil, drawnOverTime } from '../model/drawn.ts';
import { drawnUntilSeen } from '../../../ui/drawn-until-seen.tsx';
import { ChartTable } from './ChartTable.tsx';
import css from './DashboardChart.module.css';
import { DownloadCsv } from './DownloadCsv.tsx';
import { Legend } from './Legend.tsx';
import { asFigure, hasReading } from '../model/measures.ts';
import { orderPupils, pageSizeFor, pupilRows, type PupilOrder } from '../model/pupil-rows.ts';
import { PupilTools } from './PupilTools.tsx';

const BucketChart = drawnUntilSeen(() => import('./BucketChart.tsx'));
const PupilBars = drawnUntilSeen(() => import('./PupilBars.tsx'));

/** One chart of the dashboard with its figures. The old one stays while a new one comes. */
export function DashboardChart({ kind, scope, paperNote }: { kind: ChartKind; scope: Scope; paperNote: string }) {
  const { name, title, measure, along } = kind;
  const query = useQuery({ ...chartQuery(name, scope), placeholderData: keepPreviousData });
  const chart = query.data?.chart;
  const isLate = useDelayed(query.isPlaceholderData);
  const [order, setOrder] = useState<PupilOrder>('name');
  const [page, setPage] = useState(1);

  const rows = useMemo(
    () => (chart && along === 'pupils' ? orderPupils(pupilRows(chart), order) : []),
    [chart, along, order],
  );
  const size = pageSizeFor(rows.length);
  const pages = Math.max(1, Math.ceil(rows.length / size));
  const shownPage = Math.min(page, pages);
  const largest = Math.max(0, ...rows.map(({ total }) => total ?? 0));
  const isEmpty = chart !== undefined && !hasAnything(chart, kind);

  const figure = (value: number | null | undefined) => (chart ? asFigure(measure, value ?? null) : '\u00a0');
  return (
    <ChartPanel
      title={title}
      paperNote={paperNote}
      definition={kind.definition}
      isLoading={!chart && !query.error}
      isEmpty={isEmpty}
      failure={query.error && <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />}
      figures={
        <>
          <dl className={css.figures} data-late={isLate || undefined}>
            <div>
              <dt>{kind.averageLabel}</dt>
              <dd>{figure(chart?.average)}</dd>
            </div>
            {kind.totalLabel && (
              <div>
                <dt>{kind.totalLabel}</dt>
                <dd>{figure(chart?.total)}</dd>
              </div>
            )}
          </dl>
          <Legend
            series={
              isEmpty || !chart
                ? []
                : chart.series.filter(({ level }) => level !== null || along === 'time' || measure === 'accuracy')
            }
            drawn={along === 'time' ? drawnOverTime(measure) : drawnByPupil(measure)}
          />
          {along === 'pupils' && (
            <PupilTools
              title={title}
              count={isEmpty ? 0 : rows.length}
              measure={measure}
              without={rows.filter(({ total }) => !hasReading(measure, total)).length}
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
          )}
        </>
      }
      table={chart && <ChartTable title={title} chart={chart} measure={measure} />}
      download={<DownloadCsv name={name} title={title} scope={scope} />}
    >
      {chart && (
        <div className={css.chart} data-late={isLate || undefined}>
          {along === 'time' ? (
            <BucketChart drawnOf={chart} title={title} chart={chart} measure={measure} />
          ) : (
            // A new page or order begins at its top.
            <PupilBars
              key={`${order} ${shownPage}`}
              drawnOf={chart}
              title={title}
              rows={rows.slice((shownPage - 1) * size, shownPage * size)}
              axis={axisFor(measure, largest)}
              measure={measure}
            />
          )}
        </div>
      )}
    </ChartPanel>
  );
}

const hasAnything = ({ series }: Chart, { measure }: ChartKind): boolean =>
  series.some(({ data }) => data.some((value) => hasReading(measure, value)));
