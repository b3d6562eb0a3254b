import { downloadCalls } from '#contract/calls/downloads.ts';
import type { ReadingSession } from '#contract/calls/reading.ts';
import { IconCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from '../../../../ui/Link.tsx';
import { paths } from '../../../../paths.ts';
import { formatAccuracy, formatDate, formatDuration } from '../../../../shared/format.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { DownloadMenu } from '../../../../ui/DownloadMenu.tsx';
import { DataTable, type Column, ROWS_BY_ID } from '../../../../ui/DataTable.tsx';
import { useTableState } from '../../../../ui/use-table-state.ts';
import { accuracyShown, SESSIONS_TABLE, sessionsAt } from '../model/sessions-order.ts';
import { SectionHead } from '../../../../ui/SectionHead.tsx';
import css from './ReadingFigures.module.css';

const columns = (pupilId: number): Column<ReadingSession>[] => [
  { id: 'book', header: 'Book', sort: 'book', cell: ({ book_title }) => book_title },
  {
    id: 'date',
    header: 'Date',
    sort: 'date',
    sortWords: ['oldest first', 'latest first'],
    cell: ({ date, clock }) => (
      <>
        <time dateTime={date} className="nowrap">
          {formatDate(date)}
        </time>
        {clock === 'arrival' && <span className="soft small block">the day it arrived</span>}
      </>
    ),
  },
  {
    id: 'time',
    header: 'Time Reading',
    isOneLine: true,
    sort: 'time',
    sortWords: ['shortest first', 'longest first'],
    cell: ({ reading_time, is_reading }) => (
      <>
        {formatDuration(reading_time)}
        {!is_reading && <span className="soft small block">not counted</span>}
      </>
    ),
  },
  {
    id: 'accuracy',
    header: 'Accuracy',
    sort: 'accuracy',
    sortWords: ['lowest first', 'highest first'],
    cell: (session) => (
      <span className="nowrap">
        {formatAccuracy(accuracyShown(session))}
        {!session.has_completed_book && accuracyShown(session) !== null && (
          <span className="soft small"> projected</span>
        )}
      </span>
    ),
  },
  {
    id: 'completed',
    header: 'Completed',
    isOneLine: true,
    sort: 'completed',
    sortWords: ['not completed first', 'completed first'],
    cell: ({ has_completed_book, was_completed_before }) =>
      has_completed_book ? (
        <span className={css.completed}>
          <IconCheck size={18} aria-hidden /> Yes
        </span>
      ) : was_completed_before ? (
        'Reading again'
      ) : (
        'No'
      ),
  },
  {
    id: 'actions',
    header: 'Actions',
    align: 'end',
    isScreenOnly: true,
    cell: ({ id, book_id, book_title, date }) => (
      <Link
        to={paths.pupilBook(pupilId, book_id, { rid: id })}
        className="row-link nowrap"
        aria-label={`More Info: ${book_title}, ${formatDate(date)}`}
      >
        More Info
      </Link>
    ),
  },
];

interface Props {
  pupilId: number;
  /** The range in which they began. */
  range: { start: string; end: string };
  /** Undefined until they have loaded. */
  sessions: readonly ReadingSession[] | undefined;
  isStale: boolean;
  failure: ReactNode;
}

/** A pupil's reading sessions. The call returns all of them, so sorting and paging happen here. */
export function SessionsTable({ pupilId, range, sessions, isStale, failure }: Props) {
  const schoolId = useSchoolId();
  const controls = useTableState(SESSIONS_TABLE);
  return (
    <section aria-labelledby="sessions-title">
      <SectionHead
        id="sessions-title"
        title="Reading sessions"
        note="Only the latest read of each book is shown."
        actions={
          sessions !== undefined &&
          sessions.length > 0 && (
            <DownloadMenu
              label="Download the reading sessions"
              path={downloadCalls.exportPupilSessions.path}
              params={{ id: schoolId, readerId: pupilId }}
              query={{ start_time: range.start, end_time: range.end }}
              name="reading-sessions"
            />
          )
        }
      />
      <DataTable
        label="Reading sessions"
        columns={columns(pupilId)}
        rows={sessions && sessionsAt(sessions, controls.tableState)}
        rowModel={ROWS_BY_ID}
        isStale={isStale}
        controls={controls}
        total={sessions?.length ?? 0}
        noun={['session', 'sessions']}
        failure={failure}
        empty="No reading sessions found for this pupil in the given date range."
      />
    </section>
  );
}
