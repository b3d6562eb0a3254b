import { archiveCalls } from '#contract/calls/archive.ts';
import { privacyCalls } from '#contract/calls/privacy.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { call } from '../../../shared/api-client.ts';
import { apiQuery } from '../../../shared/api-query.ts';
import { can } from '../../../shared/can.ts';
import type { FirstQueries } from '../../../shared/first-queries.ts';
import { useInvalidatingMutation } from '../../../shared/use-invalidating-mutation.ts';
import { deletedClassesQuery } from '../classes/deleted-classes.public.ts';

/** The archive, for administrators. */
export const archiveQuery = (id: number) => apiQuery(archiveCalls.listArchive, { params: { id } });

/** Erases a pupil who is in the archive. */
export const useErasePupil = (id: number) =>
  useInvalidatingMutation((pupilId: number) => call(archiveCalls.erasePupil, { params: { id, readerId: pupilId } }), {
    awaits: [archiveCalls.listArchive],
    renews: [schoolCalls.listAuditLog, privacyCalls.listErasures],
  });

export const archivePageQueries: FirstQueries = ({ user, schoolId }) => [
  ...(can(user, 'delete_pupil') ? [archiveQuery(schoolId)] : []),
  deletedClassesQuery(schoolId),
];
