import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { id, ids, text, timestamp } from '../fields.ts';

/** Most characters of a note. */
const LONGEST_NOTE = 10_000;
const TOO_LONG = 'A note has at most 10,000 characters.';

/** What a member of staff noted about a pupil. `written_by` may have left since; `can_remove`: the caller may take it away. */
const pupilNote = z
  .strictObject({ id, text: z.string(), written_by: id, written_at: timestamp, can_remove: z.boolean() })
  .meta({ id: 'ReaderNote' });
export type PupilNote = z.infer<typeof pupilNote>;

/** Plain text of several lines; what looks like markup stays what was typed. */
export const noteBody = z.object({
  text: text('Write a note.', TOO_LONG, LONGEST_NOTE)
    .refine((note) => !note.includes('\0'), 'The note has a character that cannot be stored.')
    .trim()
    .min(1, 'Write a note.'),
});

export const pupilNoteCalls = defineCalls({
  listPupilNotes: {
    method: 'GET',
    path: '/enterprises/{id}/readers/{readerId}/notes',
    tag: 'Pupils',
    summary: 'What members of staff noted about a pupil, the latest first',
    description: 'The latest 200. For admins and the teachers of the pupil’s current class.',
    permission: 'manage_pupils',
    params: ids('id', 'readerId'),
    reply: z.strictObject({ notes: z.array(pupilNote) }),
    errors: ['pupil_not_found', 'pupil_not_managed'],
  },

  addPupilNote: {
    method: 'POST',
    path: '/enterprises/{id}/readers/{readerId}/notes',
    tag: 'Pupils',
    summary: 'Note something about a pupil',
    permission: 'manage_pupils',
    example: { body: { text: 'Read with a teaching assistant today; much surer with long vowels.' } },
    params: ids('id', 'readerId'),
    body: noteBody,
    reply: z.strictObject({ note: pupilNote }),
    errors: ['pupil_not_found', 'pupil_not_managed'],
  },

  removePupilNote: {
    method: 'DELETE',
    path: '/enterprises/{id}/readers/{readerId}/notes/{noteId}',
    tag: 'Pupils',
    summary: 'Take a note away',
    description: 'One’s own; an admin any.',
    permission: 'manage_pupils',
    params: ids('id', 'readerId', 'noteId'),
    errors: ['pupil_not_found', 'pupil_not_managed', 'note_not_found'],
  },
});
