import { useMemo } from 'react';
import { useSearchParams } from '../shared/router.ts';
import { today } from '../shared/school-day.ts';
import { getPreference, setPreference } from '../shared/preferences.ts';
import { chooseRange, presetOf, type DayRange, untilToday } from './date-range.ts';
import { type ParamChanges, useUpdateSearchParams } from '../shared/use-update-search-params.ts';

/** The range in the URL, or the one stored in this browser, or the current month until today. */
export const visitRange = (query: URLSearchParams): DayRange => chooseRange(query, getPreference('range'), today());

/** Stores the range as the default of the next page. A range that ends in the future keeps its end. */
export const storeRange = (range: DayRange): void =>
  setPreference('range', presetOf(untilToday(range, today()), today()) ?? range);

/** The parameters of a URL that shows the range, until today at the latest. */
export const rangeChanges = (range: DayRange): ParamChanges => ({ ...untilToday(range, today()), page: null });

/** The range of days of a page. It is in the URL, and a change is stored as the next page's default. */
export function useDateRange(): { range: DayRange; setRange: (range: DayRange) => void } {
  const [query] = useSearchParams();
  const update = useUpdateSearchParams();
  const from = query.get('from');
  const to = query.get('to');
  const range = useMemo(() => visitRange(new URLSearchParams({ from: from ?? '', to: to ?? '' })), [from, to]);

  return {
    range,
    setRange: (next) => {
      storeRange(next);
      update(rangeChanges(next));
    },
  };
}
