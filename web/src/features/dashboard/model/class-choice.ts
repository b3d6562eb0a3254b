import { parseId } from '../../../shared/parse-id.ts';

/** The class that the dashboard's address names (`?class=3`); undefined for all. */
export function classInAddress(query: URLSearchParams): number | undefined {
  return parseId(query.get('class'));
}

/** The dashboard's address with another class, or with all of them when the text is empty. */
export function withClass(query: URLSearchParams, id: string): URLSearchParams {
  const next = new URLSearchParams(query);
  if (id) next.set('class', id);
  else next.delete('class');
  return next;
}
