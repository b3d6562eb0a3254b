import type { Class } from '#contract/calls/school.ts';
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
