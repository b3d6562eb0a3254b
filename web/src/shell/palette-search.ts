import { matchPath } from '../shared/router.ts';
import type { Membership } from '#contract/calls/access.ts';
import type { Class, School } from '#contract/calls/school.ts';
import type { Library } from '#contract/calls/books.ts';
import type { Pupil } from '#contract/calls/pupils.ts';
import { ROLE_TEXTS } from '#contract/permissions.ts';
import { paths } from '../paths.ts';
import type { Right } from '../shared/can.ts';
import { count } from '../shared/format.ts';
import { foldText } from '../shared/fold-text.ts';
import { parseId } from '../shared/parse-id.ts';
import type { Visit } from '../shared/recent-visits.ts';
import { navigation, type NavigationSection } from './navigation.ts';

/** One page to open. */
export interface PaletteResult {
  key: string;
  name: string;
  detail: string;
  to: string;
  /** The state of the navigation, which no link can set. */
  state?: { switchTo: number };
}
export interface PaletteSection {
  title: string;
  results: PaletteResult[];
}

const MAX_CLASSES = 6;
const MAX_STAFF = 6;
const MAX_RECENT = 6;

/**
 * Returns a function that checks whether a text contains every word, as the pupil search does. Without words nothing
 * matches.
 */
function matcher(searchText: string): (text: string) => boolean {
  const words = foldText(searchText).split(/\s+/).filter(Boolean);
  return (text) => words.length > 0 && words.every((word) => foldText(text).includes(word));
}

/** Classes whose names contain every word. */
export function searchClasses(
  classes: readonly Pick<Class, 'id' | 'name' | 'readers_count'>[],
  searchText: string,
): PaletteResult[] {
  const matches = matcher(searchText);
  return classes
    .filter(({ name }) => matches(name))
    .slice(0, MAX_CLASSES)
    .map(({ id, name, readers_count: pupilCount }) => ({
      key: `class-${id}`,
      name,
      detail: count(pupilCount, 'pupil'),
      to: paths.classPage(id),
    }));
}

/** The user's own items first, then the others, each in their original order. */
export const ownFirst = <One extends { id: number }>(all: readonly One[], own: readonly One[]): One[] => {
  const ids = new Set(own.map(({ id }) => id));
  return [...own, ...all.filter(({ id }) => !ids.has(id))];
};

/** The class libraries, by the class's name. `books` or `library` lists them all. */
export function searchLibraries(classes: readonly Pick<Class, 'id' | 'name'>[], searchText: string): PaletteResult[] {
  const matches = matcher(searchText);
  return classes
    .filter(({ name }) => matches(`books library ${name}`) && !matches(name))
    .slice(0, MAX_CLASSES)
    .map(({ id, name }) => ({
      key: `library-${id}`,
      name: `Books of ${name}`,
      detail: 'Class',
      to: paths.classBooks(id),
    }));
}

/** The screens of the sidebar. The section's name matches too: `help overview`. */
export function searchScreens(sections: readonly NavigationSection[], searchText: string): PaletteResult[] {
  const matches = matcher(searchText);
  return sections.flatMap(({ title, items }) =>
    items
      .filter(({ text }) => matches(`${title} ${text}`))
      .map(({ text, to }) => ({ key: `screen-${to}`, name: text, detail: sentenceCase(title), to })),
  );
}

const sentenceCase = (text: string): string => text.charAt(0) + text.slice(1).toLowerCase();

/** Actions available from anywhere. */
const ACTIONS: readonly { name: string; words: string; to: string; right?: Right; changes?: true }[] = [
  {
    name: 'Add Pupils',
    words: 'new pupils import',
    to: paths.addPupilsToSchool(),
    right: 'manage_pupils',
    changes: true,
  },
  {
    name: 'Undo a list of pupils',
    words: 'lists import mistake wrong back',
    to: paths.pupilLists(),
    right: 'manage_pupils',
    changes: true,
  },
  { name: 'Add Teacher', words: 'invite colleague staff', to: paths.addTeacher(), right: 'add_teacher', changes: true },
  {
    name: 'Year end',
    words: 'new school year classes move up leavers',
    to: paths.yearEnd(),
    right: 'delete_pupil',
    changes: true,
  },
  {
    name: 'School records',
    words: 'management information system mis sims arbor bromcom oneroster ctf sync joiners',
    to: paths.schoolRecords(),
    right: 'delete_pupil',
  },
  { name: 'Changes', words: 'audit log who changed what history', to: paths.changes(), right: 'view_privacy' },
  {
    name: 'Requests and complaints',
    words: 'subject access everything about data protection sar gdpr correct erase object educational record complaint',
    to: paths.subjectRequests(),
    right: 'manage_requests',
  },
  {
    name: 'Tablets with a wrong clock',
    words: 'ipad android device time date clock',
    to: paths.tablets(),
    right: 'view_pupils',
  },
  {
    name: 'Archive',
    words: 'deleted pupils classes bring back restore',
    to: paths.archive(),
    right: 'manage_classes',
  },
];

/** The actions that contain every word and that the user may do; those that change data only where `canChange`. */
export function searchActions(
  searchText: string,
  isAllowed: (right: Right) => boolean,
  canChange: boolean,
): PaletteResult[] {
  const matches = matcher(searchText);
  return ACTIONS.filter(
    ({ name, words, right, changes }) =>
      matches(`${name} ${words}`) && (!right || isAllowed(right)) && (!changes || canChange),
  ).map(({ name, to }) => ({ key: `action-${to}`, name, detail: 'Do', to }));
}

/** The user's other schools, by the word `switch` or by name. */
export const searchSchools = (schools: readonly Membership[], searchText: string): PaletteResult[] => {
  const matches = matcher(searchText);
  return schools
    .map(({ enterprise: { id, name } }) => ({
      key: `school-${id}`,
      name: `Switch to ${name}`,
      detail: 'School',
      to: paths.ownSchools(),
      state: { switchTo: id },
    }))
    .filter(({ name, detail }) => matches(`${name} ${detail}`));
};

/** The pupil's name in `reset dilys`. Null when the text is not about a new password. */
export const resetSearch = (searchText: string): string | null =>
  /^(?:reset(?: (?:the )?password)?|(?:new )?(?:login )?card|(?:new )?password)\s+(?:(?:for|of)\s+)?(\S.*)$/i.exec(
    searchText,
  )?.[1] ?? null;

/** The name in `everything about dilys`. Null when the text is not about a subject access request. */
export const everythingSearch = (searchText: string): string | null =>
  /^(?:everything|subject access)\s+(?:(?:about|for)\s+)?(\S.*)$/i.exec(searchText)?.[1] ?? null;

/** Subject access requests about pupils and staff. */
export const everythingActions = (
  pupils: readonly Pick<Pupil, 'id' | 'name' | 'group'>[],
  staff: readonly PaletteResult[],
): PaletteResult[] => [
  ...pupils.map(({ id, name, group: schoolClass }) => ({
    key: `everything-pupil-${id}`,
    name: `Everything about ${name} …`,
    detail: schoolClass?.name ?? 'No class',
    to: paths.newSubjectRequest({ pupil: id, kind: 'access' }),
  })),
  ...staff.map(({ key, name, detail }) => ({
    key: `everything-${key}`,
    name: `Everything about ${name} …`,
    detail,
    to: paths.newSubjectRequest({ staff: Number(key.replace('staff-', '')), kind: 'access' }),
  })),
];

/** Resets of the passwords of the pupils found. */
export const resetActions = (pupils: readonly Pick<Pupil, 'id' | 'name' | 'can_update' | 'group'>[]): PaletteResult[] =>
  pupils
    .filter(({ can_update }) => can_update)
    .map(({ id, name, group: schoolClass }) => ({
      key: `reset-${id}`,
      name: `Reset password of ${name}`,
      detail: schoolClass?.name ?? 'No class',
      to: paths.pupil(id, undefined, { card: 'new' }),
    }));

/** Staff by name. All of them are on one screen. */
export function searchStaff(
  staff: readonly Pick<School['users'][number], 'id' | 'first_name' | 'last_name' | 'role'>[],
  searchText: string,
): PaletteResult[] {
  const matches = matcher(searchText);
  return staff
    .map(({ id, first_name, last_name, role }) => ({
      key: `staff-${id}`,
      name: `${first_name} ${last_name}`,
      detail: ROLE_TEXTS[role].name,
      to: paths.teachers(),
    }))
    .filter(({ name }) => matches(name))
    .slice(0, MAX_STAFF);
}

/** Recently visited pages, except the current one and those in the sidebar. */
export const recentResults = (visits: readonly Visit[], pathname: string): PaletteResult[] =>
  visits
    .filter(({ to }) => to !== pathname && !navigation.some(({ items }) => items.some((item) => item.to === to)))
    .slice(0, MAX_RECENT)
    .map(({ to, name }) => ({ key: `recent-${to}`, name, detail: '', to }));

/** The library that the palette searches, and its URL. */
interface PaletteLibrary {
  owner: { classId: number } | { pupilId: number };
  url: string;
}

/** The library of the pupil or class whose page is open, or of the first class that the user can change. */
export function libraryFor(
  pathname: string,
  classes: readonly Pick<Class, 'id' | 'user_manages'>[],
): PaletteLibrary | undefined {
  const paramsOf = (path: string): Record<string, string | undefined> => matchPath(`${path}/*`, pathname)?.params ?? {};
  const { classId: inClass, id } = { ...paramsOf(paths.pupil(':id')), ...paramsOf(paths.pupil(':id', ':classId')) };
  const pupilId = parseId(id);
  if (pupilId !== undefined) return { owner: { pupilId }, url: paths.pupilBooks(pupilId, inClass) };
  const classId = parseId(paramsOf(paths.classPage(':classId')).classId);
  const classesToChange = classes.filter(({ user_manages }) => user_manages);
  const classToChange = classesToChange.find((schoolClass) => schoolClass.id === classId) ?? classesToChange[0];
  return classToChange && { owner: { classId: classToChange.id }, url: paths.classBooks(classToChange.id) };
}

/** Books in a library, each with a link to it. */
export function bookResults(found: Library | undefined, { url }: PaletteLibrary): PaletteResult[] {
  const ownerName = found?.meta.reader_name ?? found?.meta.group?.name;
  return (found?.books ?? []).map(({ id, title, reading_level }) => ({
    key: `book-${id}`,
    name: title,
    detail: `Level ${reading_level}${ownerName ? `, books of ${ownerName}` : ''}`,
    to: `${url}?${new URLSearchParams({ search: title })}`,
  }));
}
