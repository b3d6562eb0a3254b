import { useMemo, useState } from 'react';
import type { Chart } from '#contract/calls/charts.ts';
import { orderPupils, pageSizeFor, type PupilOrder, pupilRows } from './pupil-rows.ts';

/** The pupils of a chart in the chosen order, a page at a time. */
export function usePupilList(chart: Chart | undefined, initialOrder: PupilOrder) {
  const [order, setOrder] = useState(initialOrder);
  const [wantedPage, setPage] = useState(1);
  const rows = useMemo(() => (chart ? orderPupils(pupilRows(chart), order) : []), [chart, order]);
  const pageSize = pageSizeFor(rows.length);
  const pageCount = Math.max(1, Math.ceil(rows.length / pageSize));
  const page = Math.min(wantedPage, pageCount);
  const visibleRows = useMemo(() => rows.slice((page - 1) * pageSize, page * pageSize), [rows, page, pageSize]);
  return {
    rows,
    visibleRows,
    order,
    setOrder: (next: PupilOrder) => {
      setOrder(next);
      setPage(1);
    },
    page,
    setPage,
    pageCount,
    pageSize,
  };
}

export type PupilList = ReturnType<typeof usePupilList>;
