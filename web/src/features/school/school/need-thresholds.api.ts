import { type NeedThresholds, readingNeedsCalls } from '#contract/calls/reading-needs.ts';
import { call } from '../../../shared/api-client.ts';
import { apiQuery } from '../../../shared/api-query.ts';
import { useInvalidatingMutation } from '../../../shared/use-invalidating-mutation.ts';

/** The rules for who is on the list of pupils who need help. */
export const needThresholdsQuery = (id: number) => apiQuery(readingNeedsCalls.getNeedThresholds, { params: { id } });

export const useSaveNeedThresholds = (id: number) =>
  useInvalidatingMutation(
    (body: NeedThresholds) => call(readingNeedsCalls.updateNeedThresholds, { params: { id }, body }),
    { awaits: [readingNeedsCalls.getNeedThresholds] },
  );
