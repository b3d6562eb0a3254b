import type { SchoolRecordsConnection } from '#contract/school-records-connection.ts';
import { count, listInWords } from '../../../../shared/format.ts';

const MAX_NAMED = 4;

/** `Year 3`, or `Reception` for 0. */
export const yearName = (year: number): string => (year === 0 ? 'Reception' : `Year ${year}`);

/** Which pupils a connection reads. */
export function describeChosen({
  school,
  classes,
  school_years: years,
}: Pick<SchoolRecordsConnection, 'school' | 'classes' | 'school_years'>): string {
  const named =
    classes.length > MAX_NAMED
      ? count(classes.length, 'class', 'classes')
      : listInWords(classes.map(({ name }) => name));
  const parts = [
    ...(years.length > 0 ? [listInWords(years.map(yearName))] : []),
    ...(classes.length > 0 ? [named] : []),
  ];
  const place = school ? ` of ${school.name}` : '';
  return parts.length === 0 ? `It reads all classes${place}.` : `It reads only ${parts.join(', in ')}${place}.`;
}
