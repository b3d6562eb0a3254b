import type { PupilNote } from '#contract/calls/pupil-notes.ts';
import { recordChange } from '../../../audit/audit-log.queries.ts';
import { AppError } from '../../../errors.ts';
import type { StaffSession } from '../../../context.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { defineHandlers } from '../../../http/pipeline.ts';
import { deleteNote, insertNote, listNotes, nameAuthors, type NoteRow } from './pupil-notes.queries.ts';
import { canDeleteEveryNote, canDeleteNote, getPupilWithDetails } from './pupil-notes.access.ts';

/** Notes with the names of their authors. */
async function describeNotes(db: SchoolDb, me: StaffSession, rows: readonly NoteRow[]): Promise<PupilNote[]> {
  const names = await nameAuthors(
    db,
    rows.map(({ written_by }) => written_by),
  );
  return rows.map(({ written_at, ...note }) => ({
    ...note,
    author: names.get(note.written_by) ?? null,
    written_at: written_at.toISOString(),
    can_remove: canDeleteNote(me, note),
  }));
}

export const pupilNoteHandlers = defineHandlers({
  listPupilNotes: {
    handle: async ({ db, me, params }) => {
      const { id } = await getPupilWithDetails(db, me, params.readerId);
      return { notes: await describeNotes(db, me, await listNotes(db, id)) };
    },
  },
  addPupilNote: {
    handle: async ({ db, me, params, body, now }) => {
      const { id } = await getPupilWithDetails(db, me, params.readerId);
      const note = await insertNote(db, id, body.text, me.userId, now);
      // The audit log does not repeat the note's text.
      await recordChange(db, me, now, { action: 'pupil_note_added', subjectKind: 'pupil', subjectId: id });
      const [described] = await describeNotes(db, me, [note]);
      return { note: described as PupilNote };
    },
  },
  removePupilNote: {
    handle: async ({ db, me, params, now }) => {
      const { id } = await getPupilWithDetails(db, me, params.readerId);
      const wasDeleted = await deleteNote(db, id, params.noteId, canDeleteEveryNote(me) ? undefined : me.userId);
      if (!wasDeleted) throw new AppError('note_not_found');
      await recordChange(db, me, now, { action: 'pupil_note_removed', subjectKind: 'pupil', subjectId: id });
      return {};
    },
  },
});
