import { getSession } from './session.ts';
import { privateKey } from './storage.ts';

/** A visited page. */
export interface Visit {
  to: string;
  name: string;
}

const KEY = privateKey('recent-visits');
const MAX_VISITS = 12;

/** The visits of one session in one tab. They end with the tab, because titles contain the names of children. */
export function recentVisits(): readonly Visit[] {
  try {
    const stored = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as { key: string; visits: Visit[] } | null;
    return stored && stored.key === getSession()?.key && Array.isArray(stored.visits) ? stored.visits : [];
  } catch {
    return [];
  }
}

/** The list with the visit first and no page twice. */
export const withVisit = (visits: readonly Visit[], visit: Visit): Visit[] =>
  [visit, ...visits.filter(({ to }) => to !== visit.to)].slice(0, MAX_VISITS);

/** Stores a visit. Not-found pages are recognised by their title. */
export function rememberVisit(visit: Visit): void {
  const key = getSession()?.key;
  if (!key || visit.name.endsWith(' not found')) return;
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ key, visits: withVisit(recentVisits(), visit) }));
  } catch {
    // Visits are not stored without storage.
  }
}
