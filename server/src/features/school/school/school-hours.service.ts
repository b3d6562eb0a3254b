import { type Hours, USUAL_HOURS } from '#contract/school-hours.ts';
import type { SchoolRow } from './school.queries.ts';

/** The hours of a school day: the school's own, or the usual ones. */
export const hoursOf = ({ hours_from: from, hours_to: to }: Pick<SchoolRow, 'hours_from' | 'hours_to'>): Hours =>
  from === null || to === null ? USUAL_HOURS : { from, to };
