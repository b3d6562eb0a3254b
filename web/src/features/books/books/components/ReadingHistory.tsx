import { IconCheck } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { useLocation } from '../../../../shared/router.ts';
import { Link } from '../../../../ui/Link.tsx';
import type { ReadingSession } from '#contract/calls/reading.ts';
import { formatAccuracy, formatDate, formatDuration, formatTime } from '../../../../shared/format.ts';
import css from './ReadingHistory.module.css';

interface Props {
  sessions: readonly ReadingSession[];
  chosenId: string | undefined;
}

/** A pupil's reading sessions of a book. The chosen one is in the page's URL. */
export function ReadingHistory({ sessions, chosenId }: Props) {
  const { pathname } = useLocation();
  const chosen = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    // Newer browsers return a promise, which an effect must not return.
    chosen.current?.scrollIntoView({ block: 'nearest' });
  }, [chosenId]);
  return (
    <div className="above-3xl">
      <h2 id="history-title">Reading History</h2>
      {/* The keyboard must reach a box that scrolls. */}
      <div className={`box ${css.scroll}`} tabIndex={0} role="region" aria-labelledby="history-title">
        <table className={css.table}>
          <thead className="panel-head">
            <tr>
              <th scope="col">Date</th>
              <th scope="col">Reading time</th>
              <th scope="col">Accuracy</th>
            </tr>
          </thead>
          <tbody>
            {sessions.map((session) => {
              const { id, date, reading_time, has_completed_book: isCompleted } = session;
              const isChosen = id === chosenId;
              return (
                <tr key={id} ref={isChosen ? chosen : undefined} data-chosen={isChosen || undefined}>
                  <td>
                    <Link
                      to={`${pathname}?rid=${id}`}
                      replace
                      preventScrollReset
                      aria-current={isChosen ? 'true' : undefined}
                    >
                      <time dateTime={date}>
                        <span className={css.day}>{formatDate(date)},</span> {formatTime(date)}
                      </time>
                    </Link>
                  </td>
                  <td className={css.duration}>{formatDuration(reading_time)}</td>
                  <td>
                    {formatAccuracy(isCompleted ? session.accuracy : session.range_progressive_accuracy)}
                    {isCompleted ? (
                      <span className={css.completed}>
                        <IconCheck size={16} aria-hidden /> complete
                      </span>
                    ) : (
                      session.range_progressive_accuracy !== null && <span className="soft small"> projected</span>
                    )}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </div>
  );
}
