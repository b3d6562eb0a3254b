import { tabletCalls } from '#contract/calls/tablets.ts';
import { apiQuery } from '../../../shared/api-query.ts';
import type { FirstQueries } from '../../../shared/first-queries.ts';

/** The tablets with a wrong clock. */
export const tabletsQuery = (id: number) => apiQuery(tabletCalls.listTablets, { params: { id } });

export const tabletsPageQueries: FirstQueries = ({ schoolId }) => [tabletsQuery(schoolId)];
