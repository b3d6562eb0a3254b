import { VisuallyHidden } from '../../../../ui/VisuallyHidden.tsx';
import type { ReactNode } from 'react';
import { Link } from '../../../../ui/Link.tsx';
import type { ReplyOf } from '#contract/call.ts';
import type { SchoolRecordsRun, schoolRecordsCalls } from '#contract/calls/school-records.ts';
import { paths } from '../../../../paths.ts';
import { formatMoment } from '../../../../shared/format.ts';
import { type Column, DataTable, ROWS_BY_ID } from '../../../../ui/DataTable.tsx';
import type { TableControls } from '../../../../ui/use-table-state.ts';
import { changesInWords, originName, stateInWords } from '../model/run-text.ts';

const COLUMNS: Column<SchoolRecordsRun>[] = [
  {
    id: 'file',
    header: 'Source',
    cell: (run) => (
      <Link to={paths.schoolRecordsRun(run.id)}>
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
  { id: 'state', header: 'State', cell: stateInWords },
  { id: 'changes', header: 'Changes', cell: ({ counts }) => (counts ? changesInWords(counts) : '–') },
];

interface Props {
  list: ReplyOf<typeof schoolRecordsCalls.listSchoolRecordsRuns> | undefined;
  isStale: boolean;
  controls: TableControls;
  failure: ReactNode;
}

/** The runs, the latest first. */
export const RunsTable = ({ list, isStale, controls, failure }: Props) => (
  <DataTable
    label="Files and checks"
    columns={COLUMNS}
    rows={list?.runs}
    rowModel={ROWS_BY_ID}
    isStale={isStale}
    controls={controls}
    total={list?.meta.total_filtered ?? 0}
    noun={['entry', 'entries']}
    failure={failure}
    empty="Nothing yet. Each file that you upload and each check with changes appears here, with the person who applied it."
  />
);
