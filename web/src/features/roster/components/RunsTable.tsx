import { VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { ReplyOf } from '#contract/call.ts';
import type { RosterRun, rosterCalls } from '#contract/calls/roster.ts';
import { paths } from '../../../paths.ts';
import { formatMoment } from '../../../shared/format.ts';
import { type Column, DataTable, ROWS_BY_ID } from '../../../ui/DataTable.tsx';
import type { TableControls } from '../../../ui/use-table-state.ts';
import { changesInWords, KIND_NAMES, STATE_NAMES } from '../model/run-text.ts';

const COLUMNS: Column<RosterRun>[] = [
  {
    id: 'file',
    header: 'File',
    cell: ({ id, kind, created_at: at }) => (
      <Link to={paths.schoolRecordsRun(id)}>
        {KIND_NAMES[kind]} <VisuallyHidden>of {formatMoment(at)}</VisuallyHidden>
      </Link>
    ),
  },
  { id: 'at', header: 'Uploaded', cell: ({ created_at: at }) => formatMoment(at) },
  { id: 'by', header: 'By', cell: ({ created_by: person }) => person?.name ?? 'A former colleague' },
  { id: 'state', header: 'State', cell: ({ state }) => STATE_NAMES[state] },
  { id: 'changes', header: 'Changes', cell: ({ counts }) => (counts ? changesInWords(counts) : '–') },
];

interface Props {
  list: ReplyOf<typeof rosterCalls.listRosterRuns> | undefined;
  isStale: boolean;
  controls: TableControls;
  failure: ReactNode;
}

/** What was done with each file, the latest first. */
export const RunsTable = ({ list, isStale, controls, failure }: Props) => (
  <DataTable
    label="Files"
    columns={COLUMNS}
    rows={list?.runs}
    rowModel={ROWS_BY_ID}
    isStale={isStale}
    controls={controls}
    total={list?.meta.total_filtered ?? 0}
    noun={['file', 'files']}
    failure={failure}
    empty="No files yet. Each file you upload appears here, with who accepted it."
  />
);
