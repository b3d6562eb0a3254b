import type { IntakeSession } from '#contract/calls/reading-app.ts';
import { daysBetween, daysFrom, findHoliday, inEngland, isWeekend } from './calendar.ts';
import { type Habit, levelAfter, skillAfter } from './habits.ts';
import type { Random } from './random.ts';
import { type BookText, readSession } from './reading-session.ts';

/** How much pupils read in each kind of holiday, compared with term time. */
const IN_HOLIDAYS = { 'half term': 0.8, Christmas: 0.5, Easter: 0.6, summer: 0.4, 'bank holiday': 0.5 } as const;

/** The probability of reading on a day, compared with a usual school day. */
function chanceOn(day: string, habit: Habit): number {
  const holiday = findHoliday(day);
  if (holiday) return habit.atHome * IN_HOLIDAYS[holiday];
  return isWeekend(day) ? habit.atHome : 1;
}

/** The start times of a day's sessions in minutes after midnight, in order. */
function timesOn(random: Random, day: string, sessions: number): number[] {
  const isSchoolDay = !isWeekend(day) && !findHoliday(day);
  const startTime = () => {
    if (!isSchoolDay) return random.whole(9 * 60, 18 * 60);
    return random.chance(0.7)
      ? random.pick([8 * 60 + 50, 10 * 60 + 45, 13 * 60 + 10]) + random.whole(0, 40)
      : random.whole(15 * 60 + 45, 19 * 60);
  };
  const first = startTime();
  // At least half an hour apart, so that sessions do not overlap.
  return sessions === 1
    ? [first]
    : [first, Math.min(20 * 60, Math.max(first + 30, random.whole(16 * 60, 19 * 60 + 30)))];
}

/** A book and the day on which it is assigned. */
export interface ReadableBook {
  book: BookText;
  since: string;
}

/** The books that a pupil can choose from. */
class Shelf {
  readonly #books: readonly ReadableBook[];
  readonly #finished = new Set<number>();
  /** Pages read of unfinished books, by ID. */
  readonly #begun = new Map<number, number>();
  #open: BookText | undefined;
  constructor(books: readonly ReadableBook[]) {
    this.#books = books;
  }

  /** Continues the open book, or opens one at the pupil's level, preferably unread; occasionally an easier or harder one. */
  next(random: Random, level: number, day: string): { book: BookText; pagesRead: number } | undefined {
    if (this.#open && random.chance(0.95)) return this.#from(this.#open);
    const here = this.#books.filter(({ since }) => since <= day).map(({ book }) => book);
    const at = (wanted: number) => here.filter((book) => book.level === wanted);
    const fresh = at(level).filter((book) => !this.#finished.has(book.id));
    const other = at(random.chance(0.6) ? level - 1 : level + 1);
    for (const choice of random.chance(0.75) ? [fresh, at(level), other, at(level - 1)] : [other, at(level)])
      if (choice.length > 0) return this.#from(random.pick(choice));
    return undefined;
  }

  #from(book: BookText): { book: BookText; pagesRead: number } {
    return { book, pagesRead: this.#begun.get(book.id) ?? 0 };
  }

  keep(book: BookText, lastPage: number): void {
    const isFinished = lastPage === book.pages.length;
    this.#open = isFinished ? undefined : book;
    if (isFinished) {
      this.#finished.add(book.id);
      this.#begun.delete(book.id);
    } else this.#begun.set(book.id, lastPage);
  }
}

/** All sessions of a pupil in a range of days, in order. The same for the same random generator. */
export function makeReading(
  random: Random,
  habit: Habit,
  books: readonly ReadableBook[],
  from: string,
  to: string,
): IntakeSession[] {
  const shelf = new Shelf(books);
  const sessions: IntakeSession[] = [];
  for (const day of daysFrom(from, to)) {
    const expected = (habit.sessionsPerWeek / 5) * chanceOn(day, habit);
    if (!random.chance(expected)) continue;
    const days = daysBetween(from, day);
    for (const time of timesOn(random, day, random.chance(expected * 0.12) ? 2 : 1)) {
      const chosen = shelf.next(random, levelAfter(habit, days).level, day);
      if (!chosen) continue;
      const { book, pagesRead } = chosen;
      const minutes = Math.max(2.5, random.around(habit.minutes, 3.5));
      const session = readSession(random, book, pagesRead, skillAfter(random, habit, days, book.level), minutes);
      shelf.keep(book, session.last_page);
      const startedAt = inEngland(day, time).getTime() + random.whole(0, 59) * 1000;
      sessions.push({ id: random.uuid(), book_id: book.id, started_at: new Date(startedAt).toISOString(), ...session });
    }
  }
  return sessions;
}
