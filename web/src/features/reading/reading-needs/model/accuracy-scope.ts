import type { DayRange } from '../../../../ui/date-range.ts';

/** Which accuracy a pupil's page explains: at all levels, or at one. */
export type AccuracyScope = 'all' | number;

/** The parameters of a link from an accuracy to the pupil's page that explains it. */
export const accuracyParams = ({ from, to }: DayRange, scope: AccuracyScope) => ({ from, to, accuracy: String(scope) });

/** The accuracy that a URL asks for; undefined when it asks for none. */
export function parseAccuracyScope(query: URLSearchParams): AccuracyScope | undefined {
  const text = query.get('accuracy') ?? '';
  if (text === 'all') return 'all';
  return /^[1-6]$/.test(text) ? Number(text) : undefined;
}
