import type { Random } from './random.ts';
import type { Skill } from './reading-session.ts';

/** A pupil's reading habits over the whole period. */
export interface Habit {
  /** Sessions per week in term. */
  sessionsPerWeek: number;
  /** The factor for weekends and holidays, 0 to 1. */
  atHome: number;
  /** Usual minutes per session. */
  minutes: number;
  accuracy: number;
  /** A factor on the usual speed at a level. */
  speed: number;
  /** The level on the first day: 3.5 is halfway through level 3. */
  startsAt: number;
  levelsAYear: number;
  lowest: number;
  highest: number;
}

/** Words per minute, including pauses, by reading level from 1. */
const PACE = [14, 20, 32, 45, 55, 65];
/** How much accuracy falls after moving up a level. */
const DIP = 0.09;

/** The reading levels of a year group, Year 2 to Year 6. */
export const levelsOf = (yearGroup: number): [lowest: number, highest: number] => [
  Math.min(4, Math.max(1, yearGroup - 1)),
  Math.min(6, Math.max(3, yearGroup + 1)),
];

/**
 * Invents a pupil: one in five is keen, one in four reads little.
 * @param lighter a share of the usual reading, for a school that has only begun
 */
export function makeHabit(random: Random, yearGroup: number, lighter = 1): Habit {
  const [lowest, highest] = levelsOf(yearGroup);
  const kind = random.next();
  const often = kind < 0.2 ? random.between(4.8, 6) : kind < 0.75 ? random.between(2.6, 4.1) : random.between(0.4, 1.6);
  return {
    sessionsPerWeek: often * lighter,
    atHome: kind < 0.2 ? random.between(0.3, 0.5) : kind < 0.75 ? random.between(0.08, 0.25) : random.between(0, 0.08),
    minutes: random.around(6.5, 1.8) + (kind < 0.2 ? 2 : 0),
    accuracy: random.around(kind < 0.2 ? 0.93 : kind < 0.75 ? 0.915 : 0.88, 0.02),
    speed: random.around(kind < 0.2 ? 1.1 : 0.97, 0.12),
    // Pupils soon outgrow level 1.
    startsAt: lowest + random.between(0, 0.6) + (lowest === 1 ? 0.35 : 0),
    levelsAYear: (highest - lowest) * random.between(0.55, 1.15),
    lowest,
    highest,
  };
}

/** The reading level after some days, and the progress within it, 0 to 1. */
export function levelAfter(habit: Habit, days: number): { level: number; into: number } {
  const reached = habit.startsAt + (habit.levelsAYear * days) / 365;
  const level = Math.min(habit.highest, Math.floor(reached));
  return { level, into: Math.min(1, reached - level) };
}

/** How a pupil reads a book after some days: better over the weeks, worse after moving up a level. */
export function skillAfter(random: Random, habit: Habit, days: number, bookLevel: number): Skill {
  const { level, into } = levelAfter(habit, days);
  const dip = level > Math.floor(habit.startsAt) ? DIP * Math.exp(-into * 7) : 0;
  const easier = 0.02 * (level - bookLevel);
  const accuracy = random.around(habit.accuracy - dip + easier + 0.035 * into, 0.022);
  const pace = PACE[bookLevel - 1] ?? 40;
  return {
    accuracy: Math.min(0.995, Math.max(0.6, accuracy)),
    wordsPerMinute: pace * Math.max(0.55, habit.speed) * (0.9 + 0.2 * into) * random.between(0.92, 1.08),
  };
}
