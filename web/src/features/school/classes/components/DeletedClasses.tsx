import { Button } from '../../../../ui/Button.tsx';
import { type ReactNode, useState } from 'react';
import type { DeletedClass, RestoredClass } from '#contract/calls/deleted-classes.ts';
import { formatDate, formatNumber } from '../../../../shared/format.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { usePrefetchedQuery } from '../../../../shared/use-prefetched-query.ts';
import { type Column, DataTable, ROWS_BY_ID } from '../../../../ui/DataTable.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { Notice } from '../../../../ui/Notice.tsx';
import { SectionHead } from '../../../../ui/SectionHead.tsx';
import { DEFAULT_SUCCESS, showToast } from '../../../../ui/toasts.ts';
import { useCanChange } from '../../school/school.public.ts';
import { deletedClassesQuery, useRestoreClass } from '../classes.api.ts';
import { missingText, restoredText } from '../model/restored-text.ts';

const COLUMNS: Column<DeletedClass>[] = [
  { id: 'name', header: 'Class', cell: ({ name }) => name },
  {
    id: 'pupils',
    header: 'Pupils',
    align: 'end',
    cell: ({ readers_count: pupilCount }) => formatNumber(pupilCount),
  },
  { id: 'at', header: 'Deleted', isOneLine: true, cell: ({ deleted_at }) => formatDate(deleted_at) },
  { id: 'by', header: 'By', cell: ({ deleted_by }) => deleted_by?.name ?? '–' },
  { id: 'until', header: 'Erased on', isOneLine: true, cell: ({ erased_at }) => formatDate(erased_at) },
];

interface Props {
  /** Shown if there are none; without it the section is hidden then. */
  empty?: ReactNode;
}

/** The deleted classes that the user can restore. */
export function DeletedClasses({ empty }: Props) {
  const schoolId = useSchoolId();
  const canChange = useCanChange();
  const list = usePrefetchedQuery(deletedClassesQuery(schoolId));
  const restore = useRestoreClass(schoolId);
  // The latest of those that returned incomplete.
  const [incomplete, setIncomplete] = useState<RestoredClass | null>(null);
  const classes = list.data?.groups;
  const isHidden = empty === undefined && classes?.length === 0 && !incomplete && !restore.error;

  const restoreClass = ({ id }: DeletedClass) => {
    setIncomplete(null);
    restore.mutate(id, {
      onSuccess: (restored) => {
        if (missingText(restored)) setIncomplete(restored);
        showToast(DEFAULT_SUCCESS, { detail: restoredText(restored) });
      },
    });
  };
  const columns: Column<DeletedClass>[] = [
    ...COLUMNS,
    {
      id: 'restore',
      header: 'Restore',
      isHeaderHidden: true,
      isScreenOnly: true,
      align: 'end',
      cell: (deleted) => (
        <Button
          size="sm"
          variant="default"
          aria-label={`Restore ${deleted.name}`}
          loading={restore.isPending && restore.variables === deleted.id}
          onClick={() => restoreClass(deleted)}
        >
          Restore
        </Button>
      ),
    },
  ];

  return (
    <section aria-labelledby="deleted-classes" hidden={isHidden}>
      <SectionHead
        id="deleted-classes"
        title="Classes"
        note="You can restore a deleted class for 30 days, with its pupils, teachers and books."
      />
      {restore.error && <ErrorNotice error={restore.error} />}
      {incomplete && (
        <Notice isOutcome kind="info" title={restoredText(incomplete)}>
          {missingText(incomplete)}
        </Notice>
      )}
      <DataTable
        label="Deleted classes"
        columns={canChange ? columns : COLUMNS}
        rows={classes}
        rowModel={ROWS_BY_ID}
        noun={['class', 'classes']}
        pendingKey={restore.isPending ? restore.variables : null}
        failure={list.error && !classes && <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />}
        empty={empty ?? 'No deleted classes'}
      />
    </section>
  );
}
