import { LEVELS } from './limits.ts';
import { formatYearGroup, YEAR_GROUPS, type YearGroup } from './year-group.ts';

/** The fields by which a list of pupils can be sorted. */
export const PUPIL_SORTS = ['name', 'username', 'group', 'last_read_at'] as const;
export type PupilSort = (typeof PUPIL_SORTS)[number];

/** The parameters of the pupils' calls that these filters set. */
export interface ChoiceFilterQuery {
  level?: number | undefined;
  not_read_days?: number | undefined;
  not_read_since?: string | undefined;
  year_group?: YearGroup | typeof NO_YEAR_GROUP | undefined;
}

/** The value of the filter by year group for pupils whose year group is not known. */
export const NO_YEAR_GROUP = 'none';

/** A filter with a fixed choice of values. The URL, the control, the query and the heading of an export follow from it. */
export interface ChoiceFilter {
  /** The parameter of the screen's URL. */
  name: string;
  label: string;
  /** The choice that shows all pupils. */
  allLabel: string;
  values: readonly { value: string; label: string }[];
  /** The call's parameter for a chosen value. `weekStart`: the moment at which the current week began. */
  toParam: (value: string, weekStart: string) => readonly [name: string, value: string];
  /** A phrase for the heading of an export; false if the query does not use this filter. */
  describe: (query: ChoiceFilterQuery, formatDate: (moment: Date) => string) => string | false;
}

const THIS_WEEK = 'week';

export const pupilChoiceFilters: readonly ChoiceFilter[] = [
  {
    name: 'level',
    label: 'Level',
    allLabel: 'All levels',
    values: LEVELS.map((level) => ({ value: String(level), label: `Level ${level}` })),
    toParam: (level) => ['level', level],
    describe: ({ level }) => level !== undefined && `last reading on level ${level}`,
  },
  {
    name: 'year_group',
    label: 'Year group',
    allLabel: 'All years',
    values: [
      ...YEAR_GROUPS.map((code) => ({ value: code, label: formatYearGroup(code) })),
      { value: NO_YEAR_GROUP, label: 'Year not known' },
    ],
    toParam: (code) => ['year_group', code],
    describe: ({ year_group: code }) =>
      code !== undefined && (code === NO_YEAR_GROUP ? 'year group not known' : formatYearGroup(code)),
  },
  {
    name: 'not_read_days',
    label: 'Reading',
    allLabel: 'Any reading',
    values: [
      { value: THIS_WEEK, label: 'Not read this week' },
      ...['7', '14', '30'].map((days) => ({ value: days, label: `Not read for ${days} days` })),
    ],
    toParam: (days, weekStart) => (days === THIS_WEEK ? ['not_read_since', weekStart] : ['not_read_days', days]),
    describe: ({ not_read_days: days, not_read_since: since }, formatDate) =>
      days !== undefined
        ? `not read for ${days} days`
        : since !== undefined && `not read since ${formatDate(new Date(since))}`,
  },
];
