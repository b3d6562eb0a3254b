import { getSession } from './session.ts';

/** A page that was looked at. */
export interface Visit {
  to: string;
  name: string;
}

const KEY = 'portal.recent-visits';
const MOST_KEPT = 12;

/** Of one login in one tab, and gone with the tab: titles have the names of children in them. */
export function recentVisits(): readonly Visit[] {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as { key: string; visits: Visit[] } | null;
    return kept && kept.key === getSession()?.key && Array.isArray(kept.visits) ? kept.visits : [];
  } catch {
    return [];
  }
}

/** The list with the visit first, and the page in it once. */
export const withVisit = (visits: readonly Visit[], visit: Visit): Visit[] =>
  [visit, ...visits.filter(({ to }) => to !== visit.to)].slice(0, MOST_KEPT);

/** Keeps that a page was looked at. A page that is none says so in its title. */
export function rememberVisit(visit: Visit): void {
  const key = getSession()?.key;
  if (!key || visit.name.endsWith(' not found')) return;
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ key, visits: withVisit(recentVisits(), visit) }));
  } catch {
    // Without storage nothing is remembered.
  }
}
