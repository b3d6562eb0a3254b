import type { BodyInputOf } from '#contract/call.ts';
import { coverCalls } from '#contract/calls/covers.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { call } from '../../../shared/api-client.ts';
import { apiQuery } from '../../../shared/api-query.ts';
import { useInvalidatingMutation } from '../../../shared/use-invalidating-mutation.ts';

/** The covers of all classes that the user can change. */
export const coversQuery = (id: number) => apiQuery(coverCalls.listCovers, { params: { id } });

const AFFECTED = { awaits: [coverCalls.listCovers], renews: [schoolCalls.listAuditLog] };

export const useStartCover = (id: number) =>
  useInvalidatingMutation(
    (body: BodyInputOf<typeof coverCalls.startCover>) => call(coverCalls.startCover, { params: { id }, body }),
    AFFECTED,
  );

export const useEndCover = (id: number) =>
  useInvalidatingMutation((coverId: number) => call(coverCalls.endCover, { params: { id, coverId } }), AFFECTED);

/** Makes a card with a new code for a supply teacher. Only its reply has the code. */
export const useMakeCard = (id: number) =>
  useInvalidatingMutation((coverId: number) => call(coverCalls.makeSupplyCard, { params: { id, coverId } }), AFFECTED);
export type CardMaking = ReturnType<typeof useMakeCard>;
