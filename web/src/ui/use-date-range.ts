import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { today } from '../shared/school-day.ts';
import { setPreference } from '../shared/preferences.ts';
import { presetOf, type DayRange } from './date-range.ts';
import { visitRange } from './visit-range.ts';

/** The range of days of a page: in its address, and kept as the next page's default when it changes. */
export function useDateRange(): { range: DayRange; setRange: (range: DayRange) => void } {
  const [query, setQuery] = useSearchParams();
  const from = query.get('from');
  const to = query.get('to');
  const range = useMemo(() => visitRange(new URLSearchParams({ from: from ?? '', to: to ?? '' })), [from, to]);

  const setRange = useCallback(
    (next: DayRange) => {
      setPreference('range', presetOf(next, today()) ?? next);
      setQuery(
        (old) => {
          const changed = new URLSearchParams(old);
          changed.set('from', next.from);
          changed.set('to', next.to);
          changed.delete('page');
          return changed;
        },
        { preventScrollReset: true },
      );
    },
    [setQuery],
  );
  return { range, setRange };
}
