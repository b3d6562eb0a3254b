import { getPreference } from '../shared/preferences.ts';
import { today } from '../shared/school-day.ts';
import { chooseRange, type DayRange } from './date-range.ts';

/** The range in the URL, or the one stored in this browser, or the current month until today. */
export const visitRange = (query: URLSearchParams): DayRange => chooseRange(query, getPreference('range'), today());
