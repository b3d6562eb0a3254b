import { Button } from '../../../../ui/Button.tsx';
import { Checkbox } from '../../../../ui/Checkbox.tsx';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type RecordView, recordViewCalls } from '#contract/calls/record-views.ts';
import { apiQuery } from '../../../../shared/api-query.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { type Column, DataTable } from '../../../../ui/DataTable.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { SectionHead } from '../../../../ui/SectionHead.tsx';
import { describeList, describeTimes, describeView } from '../model/view-sentence.ts';
import { count } from '../../../../shared/format.ts';
import { useAnnouncement } from '../../../../ui/use-announcement.ts';

const VIEWS_PER_PAGE = 25;

const columns: Column<RecordView>[] = [
  {
    id: 'who',
    header: 'Who',
    cell: ({ viewer, program, is_support: isSupport }) => {
      if (program) return `${program.name} (program)`;
      const name = viewer?.name ?? 'A former member of staff, erased';
      return isSupport ? `Our support team, as ${name}` : name;
    },
  },
  {
    id: 'what',
    header: 'What they did',
    cell: (view) => (
      <span className="block">
        {describeView(view)}
        {view.about !== 'pupil' && <span className="soft block">{describeList(view)}</span>}
      </span>
    ),
  },
  { id: 'when', header: 'When', cell: (view) => <time dateTime={view.last_at}>{describeTimes(view)}</time> },
];

/** A view has no ID: together these are unique. */
const BY_VIEW = {
  key: ({ viewer, program, ...view }: RecordView) =>
    [
      view.about,
      view.group?.id,
      view.day,
      view.first_at,
      viewer?.id,
      program?.id,
      view.is_support,
      view.what,
      view.screen,
    ].join(' '),
};

/** Who looked at the pupil's record, for admins. Loaded when asked for. */
export function WhoLooked({ pupilId }: { pupilId: number }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <section className="no-print" aria-labelledby="who-looked">
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
      <p className="soft measure">
        Who saw this pupil’s reading, notes, words, tags or reasons for needing help in the last 12 months. Each row is
        one person or program, one thing and one day. A list of names only is not a view. Only admins see this. Views of
        the last few seconds may be missing, also after a crash of the server.
      </p>
      {isOpen && <Views pupilId={pupilId} />}
    </section>
  );
}

function Views({ pupilId }: { pupilId: number }) {
  const [page, setPage] = useState(1);
  const [hasLists, setLists] = useState(true);
  const result = useQuery({
    ...apiQuery(recordViewCalls.listRecordViews, {
      params: { id: useSchoolId(), readerId: pupilId },
      query: { page, per_page: VIEWS_PER_PAGE, ...(!hasLists && { about: 'pupil' }) },
    }),
    placeholderData: keepPreviousData,
  });
  const total = result.data?.meta.total ?? 0;
  const last = Math.max(1, Math.ceil(total / VIEWS_PER_PAGE));
  useAnnouncement(result.data && !result.isPlaceholderData && `Page ${page} of ${last} of ${count(total, 'view')}`);
  return (
    <>
      <Checkbox
        className="below-m"
        label="Include lists and files of several pupils"
        checked={hasLists}
        onChange={(event) => {
          setLists(event.currentTarget.checked);
          setPage(1);
        }}
      />
      <DataTable
        label="Who looked"
        columns={columns}
        rows={result.data?.views}
        rowModel={BY_VIEW}
        isStale={result.isPlaceholderData}
        total={total}
        noun={['view', 'views']}
        failure={
          result.error && !result.data && <ErrorNotice error={result.error} onRetry={() => void result.refetch()} />
        }
        empty={
          hasLists
            ? 'No one has looked at this pupil in the last 12 months'
            : 'No one has looked at this pupil alone in the last 12 months'
        }
      />
      {last > 1 && (
        <nav className="row above-m" aria-label="Pages of who looked">
          <Button variant="default" disabled={page === 1} onClick={() => setPage(page - 1)}>
            Newer
          </Button>
          <span>
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
