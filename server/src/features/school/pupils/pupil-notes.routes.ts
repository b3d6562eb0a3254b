import type { PupilNote } from '#contract/calls/pupil-notes.ts';
import { recordChange } from '../../../audit/audit-log.queries.ts';
import { AppError } from '../../../errors.ts';
import type { StaffSession } from '../../../context.ts';
import { defineHandlers } from '../../../http/pipeline.ts';
import { insertNote, listNotes, deleteNote } from './pupil-notes.queries.ts';
import { canDeleteEveryNote, canDeleteNote, getPupilWithDetails } from './pupil-notes.access.ts';

const toNote = (
  me: StaffSession,
  { written_at, ...note }: Awaited<ReturnType<typeof listNotes>>[number],
): PupilNote => ({
  ...note,
  written_at: written_at.toISOString(),
  can_remove: canDeleteNote(me, note),
});

export const pupilNoteHandlers = defineHandlers({
  listPupilNotes: {
    handle: async ({ db, me, params }) => {
      const { id } = await getPupilWithDetails(db, me, params.readerId);
      return { notes: (await listNotes(db, id)).map((note) => toNote(me, note)) };
    },
  },
  addPupilNote: {
    handle: async ({ db, me, params, body, now }) => {
      const { id } = await getPupilWithDetails(db, me, params.readerId);
      const note = await insertNote(db, id, body.text, me.userId, now);
      // The audit log does not repeat the note's text.
      await recordChange(db, me, now, { action: 'pupil_note_added', subjectKind: 'pupil', subjectId: id });
      return { note: toNote(me, note) };
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
