import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { AuditEntry, School } from '#contract/calls/school.ts';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { formatDate, formatTime } from '../../../shared/format.ts';
import { DataTable, type Column, ROWS_BY_ID } from '../../../ui/DataTable.tsx';
import { useTableState } from '../../../ui/use-table-state.ts';
import { auditLogQuery, auditTable } from '../school-details.api.ts';
import { auditSentence } from '../model/audit-sentence.ts';
import css from './AuditLog.module.css';

/** Who changed what in the school, the latest first. */
export function AuditLog({ school }: { school: School }) {
  const controls = useTableState(auditTable);
  const log = useQuery({ ...auditLogQuery(school.id, controls.tableState), placeholderData: keepPreviousData });
  const staff = (id: string | null) => {
    const member = school.users.find((one) => String(one.id) === id);
    return member ? `${member.first_name} ${member.last_name}` : 'a former member of staff';
  };
  const columns: Column<AuditEntry>[] = [
    {
      id: 'what',
      header: 'What',
      cell: (entry) => {
        const sentence = auditSentence(entry, staff);
        return <span className={css.what}>{sentence.charAt(0).toUpperCase() + sentence.slice(1)}</span>;
      },
    },
    {
      id: 'who',
      header: 'Who',
      cell: ({ actor, impersonator }) => (
        <>
          {actor?.name ?? 'Unknown'}
          {impersonator && <span className={css.by}>by {impersonator.name} of the support team</span>}
        </>
      ),
    },
    {
      id: 'when',
      header: 'When',
      cell: ({ at }) => <time dateTime={at} className={css.when}>{`${formatDate(at)}, ${formatTime(at)}`}</time>,
    },
  ];

  return (
    <section aria-labelledby="log-title">
      <h2 id="log-title">Changes</h2>
      <DataTable
        label="Changes"
        columns={columns}
        rows={log.data?.entries}
        rowModel={ROWS_BY_ID}
        isStale={log.isPlaceholderData}
        controls={controls}
        total={log.data?.meta.total_filtered ?? 0}
        noun={['change', 'changes']}
        failure={log.error && !log.data && <ErrorNotice error={log.error} onRetry={() => void log.refetch()} />}
        empty="Changes of people, rights and data will be listed here"
      />
    </section>
  );
}
