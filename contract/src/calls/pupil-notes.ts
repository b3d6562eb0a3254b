import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { id, ids, text, timestamp } from '../fields.ts';
import { markChildData } from '../record-views.ts';

/** The maximum length of a note, in characters. */
const MAX_NOTE_LENGTH = 10_000;
const TOO_LONG = 'A note has at most 10,000 characters.';

/** A note about a pupil. `written_by` may have left the school since; `can_remove`: the caller may delete it. */
const pupilNote = markChildData(
  z
    .strictObject({
      id,
      text: z.string(),
      written_by: id,
      /** The author’s name, also when they have left; null once the school has erased them. */
      author: z.string().nullable(),
      written_at: timestamp,
      can_remove: z.boolean(),
    })
    .meta({ id: 'PupilNote' }),
  { fields: ['text'] },
);
export type PupilNote = z.infer<typeof pupilNote>;

/** Plain text of several lines; markup is shown as typed. */
export const noteBody = z.object({
  text: text('Write a note.', TOO_LONG, MAX_NOTE_LENGTH)
    .refine((note) => !note.includes('\0'), 'The note has a character that cannot be stored.')
    .trim()
    .min(1, 'Write a note.'),
});

export const pupilNoteCalls = defineCalls({
  listPupilNotes: {
    method: 'GET',
    path: '/enterprises/{id}/readers/{readerId}/notes',
    tag: 'Pupils',
    summary: 'Notes about a pupil, newest first',
    description: 'The latest 200, for admins and the teachers of the pupil’s current class.',
    permission: 'view_details',
    views: { what: 'notes', screen: 'pupil' },
    params: ids('id', 'readerId'),
    reply: z.strictObject({ notes: z.array(pupilNote) }),
    errors: ['pupil_not_found', 'pupil_not_managed'],
  },

  addPupilNote: {
    method: 'POST',
    path: '/enterprises/{id}/readers/{readerId}/notes',
    tag: 'Pupils',
    summary: 'Add a note about a pupil',
    permission: 'manage_notes',
    example: { body: { text: 'Read with a teaching assistant today; much surer with long vowels.' } },
    views: { what: 'notes', screen: 'pupil' },
    params: ids('id', 'readerId'),
    body: noteBody,
    reply: z.strictObject({ note: pupilNote }),
    errors: ['pupil_not_found', 'pupil_not_managed'],
  },

  removePupilNote: {
    method: 'DELETE',
    path: '/enterprises/{id}/readers/{readerId}/notes/{noteId}',
    tag: 'Pupils',
    summary: 'Delete a note',
    description: 'Teachers can delete their own notes, admins any note.',
    permission: 'manage_notes',
    params: ids('id', 'readerId', 'noteId'),
    errors: ['pupil_not_found', 'pupil_not_managed', 'note_not_found'],
  },
});
