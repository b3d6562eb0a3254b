import type { IntakeSession } from '#contract/calls/reading-app.ts';
import { academicYearStart, addDays, monthsBefore } from './calendar.ts';
import { makeHabit } from './habits.ts';
import { randomFrom } from './random.ts';
import { makeReading } from './reading.ts';
import type { SchoolPlan } from './schools.ts';
import { chooseOwnBooks, type ClassShelf, fillClassShelf } from './shelves.ts';
import type { BookText } from './reading-session.ts';

/** A different seed gives a different history with the same names. */
export const SEED = 'a willow by the otter brook';

interface PupilPlan {
  name: string;
  username: string;
  ownBooks: { bookIds: number[]; day: string };
  sessions: IntakeSession[];
}

/** A class with its pupils, or the pupils without one. */
interface GroupPlan {
  name: string | undefined;
  /** An index in the school's staff. */
  manager: number | undefined;
  assignments: ClassShelf['assignments'];
  pupils: PupilPlan[];
}

/** Everything derived from a school's plan and the current day. */
export interface FilledSchool {
  /** The day the school joined, before any reading. */
  founded: string;
  classesSince: string;
  groups: GroupPlan[];
}

/** Year group of pupils without a class. */
const UNPLACED_YEAR = 4;

/** Invents the reading of a school up to a day; the same for the same day and seed. */
export function fillSchool(plan: SchoolPlan, books: readonly BookText[], today: string, seed = SEED): FilledSchool {
  const from = monthsBefore(today, plan.months);
  const founded = addDays(from, -7);
  let number = plan.firstPupil;

  const fillPupil = (name: string, yearGroup: number, shelf: ClassShelf | undefined): PupilPlan => {
    const username = `demo-pupil-${number++}`;
    const random = randomFrom(`${seed}: ${username}`);
    const habit = makeHabit(random, yearGroup, plan.lighter);
    const own = chooseOwnBooks(random, books, habit, shelf);
    const readable = [...(shelf?.opened ?? []), ...own.map((book) => ({ book, since: from }))];
    return {
      name,
      username,
      ownBooks: { bookIds: own.map(({ id }) => id), day: from },
      sessions: plan.neverReads.has(name) ? [] : makeReading(random, habit, readable, from, today),
    };
  };

  const classes = plan.classes.map(({ name, yearGroup, manager, pupils }): GroupPlan => {
    const shelf = fillClassShelf(randomFrom(`${seed}: ${plan.name}, ${name}`), books, yearGroup, from, today);
    return {
      name,
      manager,
      assignments: shelf.assignments,
      pupils: pupils.map((pupil) => fillPupil(pupil, yearGroup, shelf)),
    };
  });
  const unplaced = plan.unplaced.map((name) => fillPupil(name, UNPLACED_YEAR, undefined));
  const newYear = academicYearStart(today);
  return {
    founded,
    classesSince: newYear > founded ? newYear : founded,
    groups: [...classes, { name: undefined, manager: undefined, assignments: [], pupils: unplaced }],
  };
}
