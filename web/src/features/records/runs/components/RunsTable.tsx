import { VisuallyHidden } from '../../../../ui/VisuallyHidden.tsx';
import type { ReactNode } from 'react';
import { Link } from '../../../../ui/Link.tsx';
import type { ReplyOf } from '#contract/call.ts';
import type { Run, runCalls } from '#contract/calls/runs.ts';
import { formatDate, formatMoment } from '../../../../shared/format.ts';
import { type Column, DataTable, ROWS_BY_ID } from '../../../../ui/DataTable.tsx';
import type { TableControls } from '../../../../ui/use-table-state.ts';
import { changesInWords, originName, pageOfRun, stateInWords } from '../model/run-text.ts';

const COLUMNS: Column<Run>[] = [
  {
    id: 'file',
    header: 'Source',
    cell: (run) => (
      <Link to={pageOfRun(run)}>
        {originName(run)} <VisuallyHidden>of {formatMoment(run.created_at)}</VisuallyHidden>
      </Link>
    ),
  },
  { id: 'at', header: 'Date', isOneLine: true, cell: ({ created_at: at }) => formatMoment(at) },
  {
    id: 'by',
    header: 'By',
    cell: ({ origin, created_by: person }) =>
      person?.name ?? (origin === 'nightly' ? 'Nightly check' : 'A former colleague'),
  },
  {
    id: 'state',
    header: 'State',
    cell: (run) =>
      run.undo_until ? `${stateInWords(run)}, undo until ${formatDate(run.undo_until)}` : stateInWords(run),
  },
  {
    id: 'changes',
    header: 'Changes',
    cell: ({ counts, kind }) => (counts ? changesInWords(counts, kind) : '–'),
  },
];

interface Props {
  list: ReplyOf<typeof runCalls.listRuns> | undefined;
  isStale: boolean;
  controls: TableControls;
  failure: ReactNode;
  label: string;
  empty: string;
}

/** The runs, the latest first. */
export const RunsTable = ({ list, isStale, controls, failure, label, empty }: Props) => (
  <DataTable
    label={label}
    columns={COLUMNS}
    rows={list?.runs}
    rowModel={ROWS_BY_ID}
    isStale={isStale}
    controls={controls}
    total={list?.meta.total_filtered ?? 0}
    noun={['entry', 'entries']}
    failure={failure}
    empty={empty}
  />
);
