import { parseId } from '../../../../shared/parse-id.ts';

/** The class that the dashboard's URL names (`?class=3`); undefined for all. */
export const classInUrl = (query: URLSearchParams): number | undefined => parseId(query.get('class'));
