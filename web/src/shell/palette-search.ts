import type { Class } from '#contract/calls/school.ts';
import type { Library } from '#contract/calls/books.ts';
import { paths } from '../paths.ts';
import { count } from '../shared/format.ts';

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

const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();

/** The classes whose name has all the words, as the search of pupils understands words. None without a word. */
export function searchClasses(
  classes: readonly Pick<Class, 'id' | 'name' | 'readers_count'>[],
  asked: string,
): PaletteResult[] {
  const words = plain(asked).split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  return classes
    .filter(({ name }) => words.every((word) => plain(name).includes(word)))
    .slice(0, MOST_CLASSES)
    .map(({ id, name, readers_count: pupilCount }) => ({
      key: `class-${id}`,
      name,
      detail: count(pupilCount, 'pupil'),
      to: paths.classPage(id),
    }));
}

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
  const [, inClass, pupilId] = /^(?:\/classes\/(\d+))?\/pupils\/(\d+)(?:\/|$)/.exec(pathname) ?? [];
  if (pupilId) return { owner: { pupilId: Number(pupilId) }, address: paths.pupilBooks(pupilId, inClass) };
  const [, classId] = /^\/classes\/(\d+)(?:\/|$)/.exec(pathname) ?? [];
  const managed = classes.filter(({ user_manages }) => user_manages);
  const one = managed.find(({ id }) => String(id) === classId) ?? managed[0];
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
