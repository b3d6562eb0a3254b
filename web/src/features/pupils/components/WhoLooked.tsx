import { Button } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { RecordView } from '#contract/calls/record-views.ts';
import { formatMoment } from '../../../shared/format.ts';
import { useSchoolId } from '../../../shared/session.ts';
import { type Column, DataTable } from '../../../ui/DataTable.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { SectionHead } from '../../../ui/SectionHead.tsx';
import { recordViewsQuery, VIEWS_PER_PAGE } from '../record-views.api.ts';
import css from './WhoLooked.module.css';

const SCREENS: Record<RecordView['screen'], string> = {
  pupil: 'Pupil’s page',
  books: 'Books of the pupil',
  book: 'One book',
  words: 'Words to practise',
  reports: 'Parents’ evening',
  subject_access: 'Subject access',
};
const WHAT: Record<RecordView['what'], string> = { page: 'Page', notes: 'Notes', file: 'File' };

const columns: Column<RecordView>[] = [
  {
    id: 'who',
    header: 'Who',
    cell: ({ viewer, is_support: isSupport }) => {
      const name = viewer?.name ?? 'A former member of staff, erased';
      return isSupport ? `Our support team, as ${name}` : name;
    },
  },
  { id: 'what', header: 'What', cell: ({ what }) => WHAT[what] },
  { id: 'screen', header: 'Where', cell: ({ screen }) => SCREENS[screen] },
  { id: 'at', header: 'When', cell: ({ at }) => <time dateTime={at}>{formatMoment(at)}</time> },
];

/** A view has no ID: together these are unique. */
const BY_VIEW = {
  key: ({ at, viewer, is_support: isSupport, what, screen }: RecordView) =>
    [at, viewer?.id, isSupport, what, screen].join(' '),
};

/** Who looked at the pupil's record, for admins. Loaded when asked for. */
export function WhoLooked({ pupilId }: { pupilId: number }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <section className={css.views} aria-labelledby="who-looked">
      <SectionHead
        id="who-looked"
        title="Who looked"
        actions={
          !isOpen && (
            <Button variant="default" onClick={() => setOpen(true)}>
              Show who looked
            </Button>
          )
        }
      />
      <p className={css.note}>
        Who saw this pupil’s page, notes and files in the last 12 months. Only admins see this. Views of the last few
        seconds may be missing, also after a crash of the server.
      </p>
      {isOpen && <Views pupilId={pupilId} />}
    </section>
  );
}

function Views({ pupilId }: { pupilId: number }) {
  const [page, setPage] = useState(1);
  const found = useQuery({
    ...recordViewsQuery(useSchoolId(), pupilId, page),
    placeholderData: keepPreviousData,
  });
  const total = found.data?.meta.total ?? 0;
  const last = Math.max(1, Math.ceil(total / VIEWS_PER_PAGE));
  return (
    <>
      <DataTable
        label="Who looked"
        columns={columns}
        rows={found.data?.views}
        rowModel={BY_VIEW}
        isStale={found.isPlaceholderData}
        total={total}
        noun={['view', 'views']}
        failure={found.error && !found.data && <ErrorNotice error={found.error} onRetry={() => void found.refetch()} />}
        empty="No one has looked at this pupil in the last 12 months"
      />
      {last > 1 && (
        <nav className={css.pages} aria-label="Pages of who looked">
          <Button variant="default" disabled={page === 1} onClick={() => setPage(page - 1)}>
            Newer
          </Button>
          <span role="status">
            Page {page} of {last}
          </span>
          <Button variant="default" disabled={page >= last} onClick={() => setPage(page + 1)}>
            Older
          </Button>
        </nav>
      )}
    </>
  );
}
