import { addDays } from './calendar.ts';
import { type Habit, levelsOf } from './habits.ts';
import type { Random } from './random.ts';
import type { ReadableBook } from './reading.ts';
import type { BookText } from './reading-session.ts';

/** Books per level assigned to a class, and how many of them are never opened. */
const BOOKS_A_LEVEL = 8;
const LEFT_CLOSED = 1;
/** Days after which the second and third level are assigned to a class, before the fastest pupils need them. */
const LEVELS_AFTER = [0, 45, 180];
/** The share of pupils with books of their own. */
const WITH_OWN_BOOKS = 0.35;

interface Assignment {
  bookIds: number[];
  day: string;
}

/** The books of a class: what is assigned when, and what is ever opened. */
export interface ClassShelf {
  assignments: Assignment[];
  opened: ReadableBook[];
}

/** Chooses books for a class over the levels of its year group. */
export function fillClassShelf(
  random: Random,
  books: readonly BookText[],
  yearGroup: number,
  from: string,
  today: string,
): ClassShelf {
  const [lowest, highest] = levelsOf(yearGroup);
  const shelf: ClassShelf = { assignments: [], opened: [] };
  for (let level = lowest; level <= highest; level += 1) {
    const chosen = random.shuffle(books.filter((book) => book.level === level)).slice(0, BOOKS_A_LEVEL);
    const due = addDays(from, LEVELS_AFTER[level - lowest] ?? 0);
    const day = due < today ? due : from;
    shelf.assignments.push({ bookIds: chosen.map(({ id }) => id), day });
    shelf.opened.push(...chosen.slice(LEFT_CLOSED).map((book) => ({ book, since: day })));
  }
  return shelf;
}

/** Books for one pupil: all books for a pupil without a class, otherwise sometimes two that the class does not have. */
export function chooseOwnBooks(
  random: Random,
  books: readonly BookText[],
  habit: Habit,
  ofClass: ClassShelf | undefined,
): BookText[] {
  const inLevels = books.filter(({ level }) => level >= habit.lowest && level <= habit.highest);
  if (!ofClass) return random.shuffle(inLevels).slice(0, 12);
  if (!random.chance(WITH_OWN_BOOKS)) return [];
  const assigned = new Set(ofClass.assignments.flatMap(({ bookIds }) => bookIds));
  return random.shuffle(inLevels.filter(({ id }) => !assigned.has(id))).slice(0, 2);
}
