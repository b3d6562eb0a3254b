import { pupilAssistantCalls } from '#contract/calls/pupil-assistants.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { call } from '../../../shared/api-client.ts';
import { apiQuery } from '../../../shared/api-query.ts';
import { useInvalidatingMutation } from '../../../shared/use-invalidating-mutation.ts';

/** The teaching assistants who help a pupil, besides those of the class. */
export const pupilAssistantsQuery = (id: number, pupilId: number) =>
  apiQuery(pupilAssistantCalls.listPupilAssistants, { params: { id, readerId: pupilId } });

const AFFECTED = { awaits: [pupilAssistantCalls.listPupilAssistants], renews: [schoolCalls.listAuditLog] };

export const useAddPupilAssistant = (id: number, pupilId: number) =>
  useInvalidatingMutation(
    (userId: number) => call(pupilAssistantCalls.addPupilAssistant, { params: { id, readerId: pupilId, userId } }),
    AFFECTED,
  );

export const useRemovePupilAssistant = (id: number, pupilId: number) =>
  useInvalidatingMutation(
    (userId: number) => call(pupilAssistantCalls.removePupilAssistant, { params: { id, readerId: pupilId, userId } }),
    AFFECTED,
  );
