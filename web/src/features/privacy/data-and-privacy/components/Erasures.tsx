import { Button } from '../../../../ui/Button.tsx';
import { keepPreviousData, useMutation } from '@tanstack/react-query';
import type { Erasure } from '#contract/calls/privacy.ts';
import { formatDate } from '../../../../shared/format.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { usePrefetchedQuery } from '../../../../shared/use-prefetched-query.ts';
import { type Column, DataTable, ROWS_BY_ID } from '../../../../ui/DataTable.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { useTableState } from '../../../../ui/use-table-state.ts';
import { downloadReceipt, erasuresQuery, erasuresTable } from '../data-and-privacy.api.ts';

const ERASED = { pupil: 'A pupil', staff: 'A former member of staff', school: 'The school' };

const columnsOf = (onDownload: (erasure: Erasure) => void): Column<Erasure>[] => [
  { id: 'number', header: 'Number', cell: ({ id }) => id },
  { id: 'kind', header: 'Erased', cell: ({ kind }) => ERASED[kind] },
  { id: 'at', header: 'When', cell: ({ erased_at: at }) => formatDate(at) },
  { id: 'by', header: 'By', cell: ({ is_automatic }) => (is_automatic ? 'Automatic' : 'An admin') },
  {
    id: 'backups',
    header: 'Last backup expires',
    cell: ({ backups_expire_on: day }) => (day ? formatDate(day) : 'No nightly backups'),
  },
  {
    id: 'receipt',
    header: 'Receipt',
    isHeaderHidden: true,
    align: 'end',
    cell: (erasure) => (
      <Button variant="default" aria-label={`Download receipt ${erasure.id}`} onClick={() => onDownload(erasure)}>
        Receipt
      </Button>
    ),
  },
];

/** The receipts of erasures, the latest first. They name no one. */
export function Erasures() {
  const schoolId = useSchoolId();
  const controls = useTableState(erasuresTable);
  const list = usePrefetchedQuery({
    ...erasuresQuery(schoolId, controls.tableState),
    placeholderData: keepPreviousData,
  });
  const receipt = useMutation({ mutationFn: ({ id }: Erasure) => downloadReceipt(schoolId, id) });
  return (
    <>
      {receipt.error && <ErrorNotice error={receipt.error} />}
      <DataTable
        label="Receipts of erasures"
        columns={columnsOf((erasure) => receipt.mutate(erasure))}
        rows={list.data?.erasures}
        rowModel={ROWS_BY_ID}
        isStale={list.isPlaceholderData}
        controls={controls}
        total={list.data?.meta.total_filtered ?? 0}
        noun={['receipt', 'receipts']}
        failure={list.error && !list.data && <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />}
        empty="No one has been erased yet. Receipts have no names."
      />
    </>
  );
}
