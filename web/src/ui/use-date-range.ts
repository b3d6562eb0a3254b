import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { today } from '../shared/school-day.ts';
import { setPreference } from '../shared/preferences.ts';
import { presetOf, type DayRange, untilToday } from './date-range.ts';
import { withParameters } from '../shared/with-parameters.ts';
import { visitRange } from './visit-range.ts';

/** Keeps the range as the default of the next page. Days whose last one lies ahead go on until then. */
export const keepRange = (range: DayRange): void =>
  setPreference('range', presetOf(untilToday(range, today()), today()) ?? range);

/** The query of an address that asks for the range, until today at the latest. */
export function withRange(query: URLSearchParams, range: DayRange): URLSearchParams {
  const { from, to } = untilToday(range, today());
  return withParameters(query, { from, to, page: null });
}

/** The range of days of a page: in its address, and kept as the next page's default when it changes. */
export function useDateRange(): { range: DayRange; setRange: (range: DayRange) => void } {
  const [query, setQuery] = useSearchParams();
  const from = query.get('from');
  const to = query.get('to');
  const range = useMemo(() => visitRange(new URLSearchParams({ from: from ?? '', to: to ?? '' })), [from, to]);

  const setRange = useCallback(
    (next: DayRange) => {
      keepRange(next);
      setQuery((old) => withRange(old, next), { preventScrollReset: true });
    },
    [setQuery],
  );
  return { range, setRange };
}
