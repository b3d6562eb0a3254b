import { Button } from '../../../../ui/Button.tsx';
import type { PupilNote } from '#contract/calls/pupil-notes.ts';
import { lazy, useState } from 'react';
import { formatDate, formatMoment } from '../../../../shared/format.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { usePrefetchedQuery } from '../../../../shared/use-prefetched-query.ts';
import { Confirm } from '../../../../ui/Confirm.tsx';
import { Dialog } from '../../../../ui/Dialog.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { SectionHead } from '../../../../ui/SectionHead.tsx';
import { useSchool, WhileOpen } from '../../school/school.public.ts';
import { pupilNotesQuery, useRemoveNote } from '../pupil-notes.api.ts';
import css from '../PupilPage.module.css';

const NoteForm = lazy(() => import('./NoteForm.tsx'));

/** The author also after they have left, until they are erased. */
const authorOf = ({ author }: PupilNote): string => author ?? 'A former member of staff';

/** Staff notes on a pupil, the latest first, and a form for a new one. */
export function PupilNotes({ pupil }: { pupil: { id: number; name: string } }) {
  const schoolId = useSchoolId();
  const hasLead = useSchool()?.users.some(({ role }) => role === 'reading_lead') ?? false;
  const result = usePrefetchedQuery(pupilNotesQuery(schoolId, pupil.id));
  const remove = useRemoveNote(schoolId, pupil.id);
  const [isAdding, setAdding] = useState(false);
  const [noteToRemove, setNoteToRemove] = useState<PupilNote | null>(null);
  const close = () => setAdding(false);
  const notes = result.data?.notes;
  return (
    <section className="no-print" aria-labelledby="notes-title">
      <SectionHead
        id="notes-title"
        title="Notes"
        actions={
          <WhileOpen>
            <Button variant="default" onClick={() => setAdding(true)}>
              Add a note
            </Button>
          </WhileOpen>
        }
      />
      {result.error && !notes && <ErrorNotice error={result.error} onRetry={() => void result.refetch()} />}
      {notes?.length === 0 && (
        <p className="soft">
          Nothing noted yet. Administrators{hasLead && ', reading leads'} and the teachers of the pupil’s class can read
          what you write here.
        </p>
      )}
      {notes && notes.length > 0 && (
        <ul className={`stack-m ${css.notes}`}>
          {notes.map((note) => (
            <li key={note.id}>
              <p className={css.note}>{note.text}</p>
              <p className={`row soft small flat ${css.author}`}>
                {authorOf(note)}, <time dateTime={note.written_at}>{formatDate(note.written_at)}</time>
                {note.can_remove && (
                  <WhileOpen>
                    <Button
                      variant="subtle"
                      size="compact-sm"
                      className="flush"
                      aria-label={`Remove the note of ${formatMoment(note.written_at)}`}
                      onClick={() => setNoteToRemove(note)}
                    >
                      Remove
                    </Button>
                  </WhileOpen>
                )}
              </p>
            </li>
          ))}
        </ul>
      )}
      <Dialog isOpen={isAdding} onClose={close} title={`Note on ${pupil.name}`}>
        <NoteForm pupilId={pupil.id} onClose={close} />
      </Dialog>
      <Confirm
        isOpen={noteToRemove !== null}
        onClose={() => setNoteToRemove(null)}
        title="Remove this note?"
        action="Remove note"
        isDangerous
        onConfirm={() => remove.mutateAsync(noteToRemove?.id ?? 0)}
      >
        <p>It was written by {noteToRemove && authorOf(noteToRemove)}. You cannot undo this.</p>
      </Confirm>
    </section>
  );
}
