import { NativeSelect, TextInput } from '../../../ui/Field.tsx';
import { keepPreviousData } from '@tanstack/react-query';
import { AUDIT_KINDS, type AuditKind } from '#contract/audit-kinds.ts';
import { downloadCalls } from '#contract/calls/downloads.ts';
import type { AuditEntry } from '#contract/calls/school.ts';
import { paths } from '../../../paths.ts';
import { formatDate, formatTime, fullName } from '../../../shared/format.ts';
import { today } from '../../../shared/school-day.ts';
import { useSchoolId } from '../../../shared/session.ts';
import { usePrefetchedQuery } from '../../../shared/use-prefetched-query.ts';
import { type Column, DataTable, ROWS_BY_ID } from '../../../ui/DataTable.tsx';
import { DownloadMenu } from '../../../ui/DownloadMenu.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { QueryForm } from '../../../ui/QueryForm.tsx';
import { SearchParamsLink } from '../../../ui/SearchParamsLink.tsx';
import { TableSearch } from '../../../ui/TableSearch.tsx';
import { Toolbar } from '../../../ui/Toolbar.tsx';
import { useTableState } from '../../../ui/use-table-state.ts';
import css from './SchoolPage.module.css';
import { CHANGE_FILTERS, changesInput, changesQuery, changesTable } from './changes.api.ts';
import { auditSentence } from './model/audit-sentence.ts';
import { useSchool } from './school.api.ts';

const KIND_NAMES: Record<AuditKind, string> = {
  pupils: 'Pupils',
  classes: 'Classes',
  books: 'Books',
  staff: 'Staff',
  logins: 'Logins and passwords',
  downloads: 'Downloads and logins shown',
  billing: 'Subscription and invoices',
  school: 'School and settings',
};

const EARLIEST = '2018-01-01';

/** Who changed what in the school, the latest first, with filters. For admins. */
export default function ChangesPage() {
  const schoolId = useSchoolId();
  const staff = useSchool()?.users ?? [];
  const controls = useTableState(changesTable);
  const { filters, search } = controls.tableState;
  const result = usePrefetchedQuery({
    ...changesQuery(schoolId, controls.tableState),
    placeholderData: keepPreviousData,
  });
  const nameOf = (id: string | null) => {
    const member = staff.find((person) => String(person.id) === id);
    return member ? fullName(member) : 'a former member of staff';
  };
  const columns: Column<AuditEntry>[] = [
    {
      id: 'what',
      header: 'What',
      cell: (entry) => {
        const sentence = auditSentence(entry, nameOf);
        return <span className="light">{sentence.charAt(0).toUpperCase() + sentence.slice(1)}</span>;
      },
    },
    {
      id: 'who',
      header: 'Who',
      cell: ({ actor, impersonator, program }) => (
        <>
          {program?.name ?? actor?.name ?? 'Automatic, or a deleted account'}
          {program && <span className="soft small block">a program{actor && `, for ${actor.name}`}</span>}
          {impersonator && <span className="soft small block">by {impersonator.name} of the support team</span>}
        </>
      ),
    },
    {
      id: 'when',
      header: 'When',
      isOneLine: true,
      cell: ({ at }) => <time dateTime={at} className="soft">{`${formatDate(at)}, ${formatTime(at)}`}</time>,
    },
  ];
  const isFiltered = search !== '' || Object.keys(filters).length > 0;
  const day = (name: 'from' | 'to', label: string) => (
    <TextInput
      type="date"
      label={label}
      name={name}
      min={EARLIEST}
      max={today()}
      value={filters[name] ?? ''}
      onChange={(event) => controls.setFilter(name, event.currentTarget.value)}
    />
  );

  return (
    <>
      <PageHeader
        title="Changes"
        crumbs={[{ text: 'School', to: paths.school() }]}
        lead="Who changed what in your school. Also called the audit log."
        actions={
          <DownloadMenu
            label="Download the changes shown"
            path={downloadCalls.exportAuditLog.path}
            params={{ id: schoolId }}
            query={changesInput(controls.tableState)}
            name="changes"
            hasJsonLines
          />
        }
      />
      <Toolbar>
        <TableSearch label="Search changes by name or text" />
        <QueryForm sets={CHANGE_FILTERS} action="Show these changes" className={css.filters}>
          <NativeSelect
            label="Person"
            name="actor_id"
            value={filters.actor_id ?? ''}
            onChange={(event) => controls.setFilter('actor_id', event.currentTarget.value)}
            data={[
              { value: '', label: 'Everyone' },
              { value: 'support', label: 'Support' },
              { value: 'programs', label: 'Programs' },
              ...staff.map((member) => ({ value: String(member.id), label: fullName(member) })),
            ]}
          />
          <NativeSelect
            label="Kind"
            name="kind"
            value={filters.kind ?? ''}
            onChange={(event) => controls.setFilter('kind', event.currentTarget.value)}
            data={[
              { value: '', label: 'All kinds' },
              ...AUDIT_KINDS.map((kind) => ({ value: kind, label: KIND_NAMES[kind] })),
            ]}
          />
          {day('from', 'From')}
          {day('to', 'To')}
        </QueryForm>
      </Toolbar>
      {isFiltered && (
        <p>
          <SearchParamsLink
            changes={{ search: null, page: null, ...Object.fromEntries(CHANGE_FILTERS.map((name) => [name, null])) }}
          >
            Show all changes
          </SearchParamsLink>
        </p>
      )}
      <DataTable
        label="Changes"
        columns={columns}
        rows={result.data?.entries}
        rowModel={ROWS_BY_ID}
        isStale={result.isPlaceholderData}
        controls={controls}
        total={result.data?.meta.total_filtered ?? 0}
        noun={['change', 'changes']}
        failure={
          result.error && !result.data && <ErrorNotice error={result.error} onRetry={() => void result.refetch()} />
        }
        empty={
          isFiltered ? 'No changes match these filters' : 'Changes to people, permissions and data will be listed here'
        }
      />
    </>
  );
}
