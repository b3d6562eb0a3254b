import type { BodyInputOf } from '#contract/call.ts';
import { programCalls } from '#contract/calls/programs.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { call } from '../../../shared/api-client.ts';
import { apiQuery } from '../../../shared/api-query.ts';
import { useInvalidatingMutation } from '../../../shared/use-invalidating-mutation.ts';

/** The programs with a token of the school, also those that ended lately. For admins. */
export const programsQuery = (id: number) => apiQuery(programCalls.listPrograms, { params: { id } });

const AFFECTED = { awaits: [programCalls.listPrograms], renews: [schoolCalls.listAuditLog] };

/** Its reply alone has the token. */
export const useMakeProgram = (id: number) =>
  useInvalidatingMutation(
    (body: BodyInputOf<typeof programCalls.makeProgram>) => call(programCalls.makeProgram, { params: { id }, body }),
    AFFECTED,
  );

export const useChangeProgram = (id: number) =>
  useInvalidatingMutation(
    ({ programId, ...body }: BodyInputOf<typeof programCalls.changeProgram> & { programId: number }) =>
      call(programCalls.changeProgram, { params: { id, programId }, body }),
    AFFECTED,
  );

/** Makes the user the admin who answers for the program. */
export const useConfirmProgram = (id: number) =>
  useInvalidatingMutation(
    (programId: number) => call(programCalls.confirmProgram, { params: { id, programId } }),
    AFFECTED,
  );

export const useRevokeProgram = (id: number) =>
  useInvalidatingMutation(
    (programId: number) => call(programCalls.revokeProgram, { params: { id, programId } }),
    AFFECTED,
  );
