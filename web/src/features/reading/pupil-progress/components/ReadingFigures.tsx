import { IconHelpCircle } from '@tabler/icons-react';
import { Fragment, useState } from 'react';
import { formatDuration, formatNumber } from '../../../../shared/format.ts';
import { Dialog } from '../../../../ui/Dialog.tsx';
import { StatBox, StatBoxes } from '../../../../ui/StatBox.tsx';
import css from './ReadingFigures.module.css';

export interface Figures {
  /** Seconds. */
  total_reading_time: number;
  /** Seconds a book; null when no book was read. */
  average_reading_time: number | null;
  books_completed: number;
  books_in_progress: number;
  books_not_started: number;
}

/** A duration as a large figure: its numbers large, their units small. `8 hours 45 minutes` */
const Duration = ({ text }: { text: string }) =>
  text.split(/(?<=[a-z]) /).map((pair) => {
    const [number, unit] = pair.split(' ');
    return (
      <Fragment key={pair}>
        <span className={css.pair}>
          {number} <span className={`small ${css.unit}`}>{unit}</span>
        </span>{' '}
      </Fragment>
    );
  });

/** The five figures of a pupil's reading. Empty boxes keep the layout until they have loaded. */
export function ReadingFigures({ figures, isStale }: { figures: Figures | undefined; isStale: boolean }) {
  const [isHelpOpen, setHelpOpen] = useState(false);
  const number = (value: number | undefined) => (value === undefined ? '\u00a0' : formatNumber(value));
  const time = (value: number | null | undefined) =>
    value === undefined ? '\u00a0' : <Duration text={formatDuration(value)} />;

  return (
    <div className={css.figures} data-stale={isStale || undefined} aria-busy={isStale || !figures}>
      <StatBoxes>
        <StatBox
          value={time(figures?.total_reading_time)}
          label="Total Reading Time"
          helpButton={
            <button
              type="button"
              className={`${css.help} no-print`}
              aria-haspopup="dialog"
              aria-label="About total reading time"
              onClick={() => setHelpOpen(true)}
            >
              <IconHelpCircle size={18} aria-hidden />
            </button>
          }
        />
        <StatBox
          value={time(figures?.average_reading_time)}
          label="Average time per book"
          help="Total reading time divided by the number of different books read in these dates."
        />
        <StatBox
          value={number(figures?.books_completed)}
          label="Books completed"
          help="Books read to their last page in these dates. A book completed more than once counts once."
        />
        <StatBox
          value={number(figures?.books_in_progress)}
          label="Books in-progress"
          help="Books read in these dates that have been started and never completed. A book that is read again is not counted."
        />
        <StatBox
          value={number(figures?.books_not_started)}
          label="Books not started"
          help={<span className="sentence block">number of assigned books not yet started</span>}
        />
      </StatBoxes>
      <Dialog isOpen={isHelpOpen} onClose={() => setHelpOpen(false)} title="Total Reading Time">
        <p>The time the pupil was actively reading, added up over all readings in the chosen dates.</p>
        <p>
          The clock stops after 60 seconds without activity and goes on when the pupil does, so a book left open does
          not count.
        </p>
        <h3>What counts as reading?</h3>
        <p>
          A session of at least 30 seconds in which the pupil read aloud at least one word. A shorter one is in the list
          of sessions and can complete a book, but is in no time, day or accuracy, and is not the pupil’s last reading.
        </p>
        <p>Times are shown in seconds under 2 minutes, in minutes under an hour, and in hours from there.</p>
      </Dialog>
    </div>
  );
}
