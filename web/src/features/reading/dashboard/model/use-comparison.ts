import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Comparison } from '#contract/calls/charts.ts';
import { useDelayed } from '../../../../ui/use-delayed.ts';
import { comparisonQuery, type Scope } from '../dashboard.api.ts';

/** How the figures have changed; absent if there is nothing to compare with. */
export interface ShownComparison {
  comparison: Comparison | null | undefined;
  /** It belongs to the previous range, while that of the new one loads. */
  isStale: boolean;
}

export function useComparison(scope: Scope, enabled: boolean): ShownComparison {
  const { data, isPlaceholderData } = useQuery({
    ...comparisonQuery(scope),
    enabled,
    placeholderData: keepPreviousData,
  });
  return { comparison: data?.comparison, isStale: useDelayed(isPlaceholderData) };
}
