import { matchPath } from 'react-router';
import type { Class, School } from '#contract/calls/school.ts';
import type { Library } from '#contract/calls/books.ts';
import type { Pupil } from '#contract/calls/pupils.ts';
import { paths } from '../paths.ts';
import type { Right } from '../shared/can.ts';
import { count } from '../shared/format.ts';
import { foldText } from '../shared/fold-text.ts';
import { parseId } from '../shared/parse-id.ts';
import type { Visit } from '../shared/recent-visits.ts';
import { navigation, type NavigationSection } from './navigation.ts';

/** One page to go to. */
export interface PaletteResult {
  key: string;
  name: string;
  detail: string;
  to: string;
}
export interface PaletteSection {
  title: string;
  results: PaletteResult[];
}

const MOST_CLASSES = 6;
const MOST_STAFF = 6;
const MOST_RECENT = 6;

/** Tells whether a text has all the words, as the search of pupils understands words. None without a word. */
function matcher(asked: string): (text: string) => boolean {
  const words = foldText(asked).split(/\s+/).filter(Boolean);
  return (text) => words.length > 0 && words.every((word) => foldText(text).includes(word));
}

/** The classes whose name has all the words. */
export function searchClasses(
  classes: readonly Pick<Class, 'id' | 'name' | 'readers_count'>[],
  asked: string,
): PaletteResult[] {
  const matches = matcher(asked);
  return classes
    .filter(({ name }) => matches(name))
    .slice(0, MOST_CLASSES)
    .map(({ id, name, readers_count: pupilCount }) => ({
      key: `class-${id}`,
      name,
      detail: count(pupilCount, 'pupil'),
      to: paths.classPage(id),
    }));
}

/** What somebody's own come first of, in the order in which each part was. */
export const ownFirst = <One extends { id: number }>(all: readonly One[], own: readonly One[]): One[] => {
  const ids = new Set(own.map(({ id }) => id));
  return [...own, ...all.filter(({ id }) => !ids.has(id))];
};

/** The libraries of classes by the name of the class, and all of them by `books` or `library`. */
export function searchLibraries(classes: readonly Pick<Class, 'id' | 'name'>[], asked: string): PaletteResult[] {
  const matches = matcher(asked);
  return classes
    .filter(({ name }) => matches(`books library ${name}`) && !matches(name))
    .slice(0, MOST_CLASSES)
    .map(({ id, name }) => ({
      key: `library-${id}`,
      name: `Books of ${name}`,
      detail: 'Class',
      to: paths.classBooks(id),
    }));
}

/** The screens of the sidebar; `help overview` finds one by its section too. */
export function searchScreens(sections: readonly NavigationSection[], asked: string): PaletteResult[] {
  const matches = matcher(asked);
  return sections.flatMap(({ title, items }) =>
    items
      .filter(({ text }) => matches(`${title} ${text}`))
      .map(({ text, to }) => ({ key: `screen-${to}`, name: text, detail: sentenceCase(title), to })),
  );
}

const sentenceCase = (text: string): string => text.charAt(0) + text.slice(1).toLowerCase();

/** What somebody may begin from anywhere. */
const ACTIONS: readonly { name: string; words: string; to: string; right?: Right }[] = [
  { name: 'Add Pupils', words: 'new pupils import', to: paths.addPupilsToSchool() },
  { name: 'Add Teacher', words: 'invite colleague staff', to: paths.addTeacher(), right: 'add_teacher' },
  { name: 'Year end', words: 'new school year classes move up leavers', to: paths.yearEnd(), right: 'delete_pupil' },
  { name: 'Archive', words: 'deleted pupils bring back restore', to: paths.archive(), right: 'delete_pupil' },
];

/** The actions that have all the words, of those that the person may do. */
export function searchActions(asked: string, may: (right: Right) => boolean): PaletteResult[] {
  const matches = matcher(asked);
  return ACTIONS.filter(({ name, words, right }) => matches(`${name} ${words}`) && (!right || may(right))).map(
    ({ name, to }) => ({ key: `action-${to}`, name, detail: 'Do', to }),
  );
}

/** The pupil that `reset dilys` is about: what stands behind the word. Null where nothing is to be reset. */
export const resetAsked = (asked: string): string | null =>
  /^(?:reset|(?:new )?(?:login )?card|(?:new )?password)\s+(?:for\s+)?(\S.*)$/i.exec(asked)?.[1] ?? null;

/** New login cards for the pupils found. */
export const cardActions = (pupils: readonly Pick<Pupil, 'id' | 'name' | 'can_update' | 'group'>[]): PaletteResult[] =>
  pupils
    .filter(({ can_update }) => can_update)
    .map(({ id, name, group: schoolClass }) => ({
      key: `card-${id}`,
      name: `New login card for ${name}`,
      detail: schoolClass?.name ?? 'No class',
      to: paths.pupil(id, undefined, { card: 'new' }),
    }));

/** The staff by name. They stand on one screen. */
export function searchStaff(
  staff: readonly Pick<School['users'][number], 'id' | 'first_name' | 'last_name' | 'enterprise_user_role'>[],
  asked: string,
): PaletteResult[] {
  const matches = matcher(asked);
  return staff
    .map(({ id, first_name, last_name, enterprise_user_role: role }) => ({
      key: `staff-${id}`,
      name: `${first_name} ${last_name}`,
      detail: role === 'admin' ? 'Admin' : 'Teacher',
      to: paths.teachers(),
    }))
    .filter(({ name }) => matches(name))
    .slice(0, MOST_STAFF);
}

/** Pages that were looked at before this one, without those that the sidebar shows anyway. */
export const recentResults = (visits: readonly Visit[], pathname: string): PaletteResult[] =>
  visits
    .filter(({ to }) => to !== pathname && !navigation.some(({ items }) => items.some((item) => item.to === to)))
    .slice(0, MOST_RECENT)
    .map(({ to, name }) => ({ key: `recent-${to}`, name, detail: '', to }));

/** Whose library the palette searches, and its address. */
interface PaletteLibrary {
  owner: { classId: number } | { pupilId: number };
  address: string;
}

/** The library of the pupil or class whose page is open, else of the first class that the person manages. */
export function libraryFor(
  pathname: string,
  classes: readonly Pick<Class, 'id' | 'user_manages'>[],
): PaletteLibrary | undefined {
  const paramsOf = (path: string): Record<string, string | undefined> => matchPath(`${path}/*`, pathname)?.params ?? {};
  const { classId: inClass, id } = { ...paramsOf(paths.pupil(':id')), ...paramsOf(paths.pupil(':id', ':classId')) };
  const pupilId = parseId(id);
  if (pupilId !== undefined) return { owner: { pupilId }, address: paths.pupilBooks(pupilId, inClass) };
  const classId = parseId(paramsOf(paths.classPage(':classId')).classId);
  const managed = classes.filter(({ user_manages }) => user_manages);
  const one = managed.find((schoolClass) => schoolClass.id === classId) ?? managed[0];
  return one && { owner: { classId: one.id }, address: paths.classBooks(one.id) };
}

/** Books in a library, each with the way to it there. */
export function bookResults(found: Library | undefined, { address }: PaletteLibrary): PaletteResult[] {
  const whose = found?.meta.reader_name ?? found?.meta.group?.name;
  return (found?.books ?? []).map(({ id, title, reading_level }) => ({
    key: `book-${id}`,
    name: title,
    detail: `Level ${reading_level}${whose ? `, books of ${whose}` : ''}`,
    to: `${address}?${new URLSearchParams({ search: title })}`,
  }));
}
