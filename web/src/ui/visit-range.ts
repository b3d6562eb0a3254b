import { getPreference } from '../shared/preferences.ts';
import { today } from '../shared/school-day.ts';
import { chooseRange, type DayRange } from './date-range.ts';

/** The range of a page's address, else the one this browser keeps, else the current month until today. */
export const visitRange = (query: URLSearchParams): DayRange => chooseRange(query, getPreference('range'), today());
