import { Button } from '../../../ui/Button.tsx';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import type { SchoolRecordsSource } from '#contract/calls/school-records.ts';
import { paths } from '../../../paths.ts';
import { count } from '../../../shared/format.ts';
import { useSchoolId } from '../../../shared/session.ts';
import { usePrefetchedQuery } from '../../../shared/use-prefetched-query.ts';
import { Confirm } from '../../../ui/Confirm.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { DEFAULT_SUCCESS, showToast } from '../../../ui/toasts.ts';
import { useTableState } from '../../../ui/use-table-state.ts';
import { ConnectionSection } from './components/ConnectionSection.tsx';
import { UploadSection } from './components/UploadSection.tsx';
import { runsQuery, runsTable } from '../runs/run-queries.public.ts';
import { RunsTable, SOURCE_NAMES } from '../runs/runs.public.ts';
import { recordsQuery, useRemoveSource } from './school-records.api.ts';
import { WhileOpen } from '../../school/school/school.public.ts';
import css from './components/ConnectionSection.module.css';

/** The school records: the connection, an upload of a file, and the runs so far. */
export default function SchoolRecordsPage() {
  const schoolId = useSchoolId();
  const controls = useTableState(runsTable);
  const records = usePrefetchedQuery(recordsQuery(schoolId));
  const list = usePrefetchedQuery({
    ...runsQuery(schoolId, controls.tableState),
    placeholderData: keepPreviousData,
  });
  const [removing, setRemoving] = useState<SchoolRecordsSource | null>(null);
  const sources = records.data?.sources ?? [];

  return (
    <>
      <PageHeader
        title="School records"
        crumbs={[{ text: 'School', to: paths.school() }]}
        lead="Keep pupils and classes up to date from your management information system. You see what would change first, and can undo it for 30 days."
      />
      {records.error && !records.data && <ErrorNotice error={records.error} onRetry={() => void records.refetch()} />}
      <WhileOpen>
        {records.data && <ConnectionSection connection={records.data.connection} />}
        <UploadSection source={sources.find(({ kind }) => kind === 'oneroster')} />
      </WhileOpen>
      {sources.length > 0 && (
        <section className="above-3xl" aria-labelledby="sources">
          <h2 id="sources">Sources</h2>
          <ul className={`stack-s ${css.sources}`}>
            {sources.map((source) => (
              <li key={source.id} className="box row spread">
                <span>
                  <strong>{SOURCE_NAMES[source.kind]}</strong>: {count(source.pupils, 'pupil')} in{' '}
                  {count(source.classes, 'class', 'classes')}
                  {source.school && `, of ${source.school.name}`}
                </span>
                <WhileOpen>
                  <Button
                    variant="default"
                    aria-label={`Remove the source ${SOURCE_NAMES[source.kind]}`}
                    onClick={() => setRemoving(source)}
                  >
                    Remove
                  </Button>
                </WhileOpen>
              </li>
            ))}
          </ul>
        </section>
      )}
      <section className="above-3xl" aria-labelledby="history">
        <h2 id="history">History</h2>
        <RunsTable
          label="History"
          empty="Nothing yet. Each file, each check with changes, each list of pupils and each year end appears here, with the person who applied it."
          list={list.data}
          isStale={list.isPlaceholderData}
          controls={controls}
          failure={list.error && !list.data && <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />}
        />
      </section>
      <RemoveSource source={removing} onClose={() => setRemoving(null)} />
    </>
  );
}

function RemoveSource({ source, onClose }: { source: SchoolRecordsSource | null; onClose: () => void }) {
  const remove = useRemoveSource(useSchoolId());
  return (
    <Confirm
      isOpen={source !== null}
      onClose={onClose}
      title={source ? `Remove the source ${SOURCE_NAMES[source.kind]}?` : ''}
      action="Remove the source"
      lost="The source has not been removed."
      onConfirm={async () => {
        if (!source) return;
        await remove.mutateAsync(source.id);
        showToast(DEFAULT_SUCCESS, { detail: 'The source has been removed' });
      }}
    >
      <p>
        All pupils and classes stay. We forget which of them came from this source, so the next file or check asks you
        who is who.
      </p>
    </Confirm>
  );
}
