import { mondayOf } from '#contract/school-calendar.ts';
import { PUPIL_SORTS, pupilChoiceFilters } from '#contract/pupil-filters.ts';
import type { PupilTag } from '#contract/calls/pupil-tags.ts';
import type { Pupil } from '#contract/calls/pupils.ts';
import { can, canSeeSchool, type Member } from '../../../../shared/can.ts';
import { ALL_CLASSES } from '../../../../shared/own-classes.ts';
import { parseId } from '../../../../shared/parse-id.ts';
import { momentsOf, today } from '../../../../shared/school-day.ts';
import type { TableDefaults, TableState } from '../../../../ui/table-url-state.ts';

/** The parameter of the URL and of the call that filters by tag. */
export const TAG = 'tag';

/** The parameter of the URL and of the call that shows the pupils whom a list or a file added. */
export const RUN = 'run';

/** How the list of pupils is sorted and filtered. The page and its loader share it. */
export const pupilTable: TableDefaults = {
  sort: { field: 'name', direction: 'asc' },
  sorts: PUPIL_SORTS,
  filters: ['groups', ...pupilChoiceFilters.map(({ name }) => name), TAG, RUN],
};

/** Pupils without a class, in `groups`. */
export const WITHOUT_CLASS = 'none';

/** The parts of `3,none`. Anything that is not a class is left out, so that a mistyped URL still shows pupils. */
export const classesInUrl = (parameter: string | undefined): string[] =>
  (parameter ?? '').split(',').filter((part) => part === WITHOUT_CLASS || parseId(part) !== undefined);

/**
 * True for teachers, who start with their own classes among those of the school. Admins and reading leads start with all
 * pupils, and teaching assistants see no others than their own.
 */
export const startsWithOwn = (user: Member): boolean => !can(user, 'see_all_classes') && canSeeSchool(user);

/** True if a URL without classes shows a teacher's own classes. */
export const isOwnByDefault = (classes: string | undefined, user: Member): boolean =>
  startsWithOwn(user) && classes !== ALL_CLASSES && classesInUrl(classes).length === 0;

/** The run whose pupils the URL shows; undefined for users who cannot open runs. */
export const runInUrl = ({ filters }: TableState, user: Member): number | undefined =>
  can(user, 'manage_pupils') ? parseId(filters[RUN]) : undefined;

/** The table's state as parameters of the call. A value that the call would reject is left out. */
export function toCallState(tableState: TableState, user: Member): TableState {
  const classes = tableState.filters.groups;
  const classIds = isOwnByDefault(classes, user) ? ['mine'] : classesInUrl(classes);
  const chosen = pupilChoiceFilters.flatMap(({ name, values, toParam }) =>
    values.filter(({ value }) => value === tableState.filters[name]).map(({ value }) => toParam(value, weekStart())),
  );
  const tag = can(user, 'view_details') ? parseId(tableState.filters[TAG]) : undefined;
  const ids = Object.entries({ [TAG]: tag, [RUN]: runInUrl(tableState, user) }).flatMap(([name, id]) =>
    id === undefined ? [] : [[name, String(id)] as const],
  );
  return {
    ...tableState,
    filters: {
      ...(classIds.length > 0 && { groups: classIds.join(',') }),
      ...Object.fromEntries(chosen),
      ...Object.fromEntries(ids),
    },
  };
}

/** The moment at which this week began. */
function weekStart(): string {
  const monday = mondayOf(today());
  return momentsOf({ from: monday, to: monday }).start;
}

/** A row of the list. `tags`: the names of the pupil's tags, without sensitive ones, because others may see the screen. */
export interface PupilRow extends Pupil {
  tags: readonly string[];
}

/** Adds the tags that the list shows to the pupils. */
export function withTags(pupils: readonly Pupil[], tags: readonly PupilTag[]): PupilRow[] {
  const shown = tags.filter(({ kind }) => kind === 'own').map((tag) => ({ ...tag, pupils: new Set(tag.reader_ids) }));
  return pupils.map((pupil) => ({
    ...pupil,
    tags: shown.filter((tag) => tag.pupils.has(pupil.id)).map(({ name }) => name),
  }));
}
