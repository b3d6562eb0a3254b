import { pupilNoteCalls } from '#contract/calls/pupil-notes.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { call } from '../../../shared/api-client.ts';
import { apiQuery } from '../../../shared/api-query.ts';
import { useInvalidatingMutation } from '../../../shared/use-invalidating-mutation.ts';

/** Staff notes on a pupil. */
export const pupilNotesQuery = (id: number, pupilId: number) =>
  apiQuery(pupilNoteCalls.listPupilNotes, { params: { id, readerId: pupilId } });

export const useAddNote = (id: number, pupilId: number) =>
  useInvalidatingMutation(
    (body: { text: string }) => call(pupilNoteCalls.addPupilNote, { params: { id, readerId: pupilId }, body }),
    { awaits: [pupilNoteCalls.listPupilNotes], renews: [schoolCalls.listAuditLog] },
  );

export const useRemoveNote = (id: number, pupilId: number) =>
  useInvalidatingMutation(
    (noteId: number) => call(pupilNoteCalls.removePupilNote, { params: { id, readerId: pupilId, noteId } }),
    { awaits: [pupilNoteCalls.listPupilNotes], renews: [schoolCalls.listAuditLog] },
  );
