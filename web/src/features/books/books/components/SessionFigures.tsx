import { Button } from '../../../../ui/Button.tsx';
import { useState } from 'react';
import type { Book } from '#contract/calls/books.ts';
import type { ReadingSession } from '#contract/calls/reading.ts';
import { formatAccuracy, formatDate, formatDuration, formatTime } from '../../../../shared/format.ts';
import { Dialog } from '../../../../ui/Dialog.tsx';
import { StatBox, StatBoxes } from '../../../../ui/StatBox.tsx';
import { Heatmap } from './Heatmap.tsx';
import { WordList } from './WordList.tsx';
import css from './SessionFigures.module.css';

const WORDS_ARE_HIDDEN = 'Words are shown to the pupil’s own teachers.';

interface Props {
  session: ReadingSession;
  book: Book;
  /** The user may read the pupil's words; otherwise the session arrives without them. */
  hasWords: boolean;
}

/** The figures of one reading session of a book, with its words or the reason why they are hidden. */
export function SessionFigures({ session, book, hasWords }: Props) {
  const [isHelpOpen, setHelpOpen] = useState(false);
  const { has_completed_book: isCompleted, last_page: lastPage, words_correct_per_minute: speed } = session;
  return (
    <section className={css.session} aria-labelledby="session-title">
      <h2 id="session-title" className="flat below-l">
        <time dateTime={session.date}>
          {formatDate(session.date)}, {formatTime(session.date)}
        </time>
      </h2>
      {session.clock && (
        <p className="soft">
          {session.clock === 'arrival'
            ? 'The tablet’s clock was wrong. This is the day on which the session arrived.'
            : 'The tablet’s clock was wrong. We corrected the time.'}
        </p>
      )}
      {!session.is_reading && (
        <p className="soft">
          This session does not count as reading: it has less than 30 seconds, or no word that was read aloud.
        </p>
      )}
      <StatBoxes>
        <StatBox
          value={formatDuration(session.total_reading_time)}
          label="Total reading time"
          help="Active reading of this book up to and including this session."
        />
        {speed !== null && (
          <StatBox
            value={speed}
            label="Words correct per minute"
            help="Words read correctly in this session, divided by its reading time."
          />
        )}
        {isCompleted ? (
          <StatBox
            value={formatAccuracy(session.accuracy)}
            label="Accuracy"
            help="Words read correctly out of all words attempted in this reading of the book."
          />
        ) : (
          <StatBox
            value={formatAccuracy(session.range_progressive_accuracy)}
            label="Projected Accuracy"
            help="Words read correctly out of the words attempted so far. The book is not finished yet."
          />
        )}
        <StatBox value={isCompleted ? 'complete' : `Page ${lastPage} of ${book.pages_count}`} label="Book progress" />
      </StatBoxes>
      <div className={css.parts}>
        <Heatmap key={session.id} heatmap={session.heatmap} pages={book.pages_count} />
        <div className={css.words}>
          <WordList
            title="Words requested help with"
            words={session.played_words}
            empty={hasWords ? 'None: no word was asked for in this session.' : WORDS_ARE_HIDDEN}
          />
          <WordList
            title="Words not turned green"
            words={session.skipped_words}
            empty={hasWords ? 'None: every word was recognised as read.' : WORDS_ARE_HIDDEN}
            action={
              <Button size="compact-md" variant="subtle" onClick={() => setHelpOpen(true)}>
                What does this mean?
              </Button>
            }
          />
        </div>
      </div>
      <Dialog isOpen={isHelpOpen} onClose={() => setHelpOpen(false)} title="Words not turned green">
        <p>While a pupil reads aloud, each word turns green as soon as it is recognised. These words did not.</p>
        <p>
          A word can be missing because it was skipped, read as another word, or read too quietly for the microphone. An
          accent or a noisy room can be the reason too, so a long list is not always a sign of difficulty: listen to the
          pupil read some of these words.
        </p>
      </Dialog>
    </section>
  );
}
