import { MIN_WORDS } from '#contract/accuracy.ts';
import type { ReadingStanding } from '#contract/calls/lowest-fifth.ts';
import { findCurrentLevel, type LevelTotals, measureAccuracy } from '../dashboard/dashboard.public.ts';

/*
 * Who is in the lowest fifth of a year group: docs/reading-needs.md describes the rules. Pure functions.
 */

/** How a pupil reads: the current level, and the accuracy at it; null without reading. */
export function describeStanding(totals: readonly LevelTotals[]): ReadingStanding | null {
  const current = findCurrentLevel(totals);
  if (!current) return null;
  const { accuracy, words_attempted } = measureAccuracy(totals, current.reading_level);
  return { reading_level: current.reading_level, accuracy: words_attempted < MIN_WORDS ? null : accuracy };
}

/** A pupil who read enough to be placed. */
interface PlacedStanding extends ReadingStanding {
  accuracy: number;
}

const isPlaced = (standing: ReadingStanding | null): standing is PlacedStanding =>
  standing !== null && standing.accuracy !== null;

interface Reading {
  standing: ReadingStanding | null;
}

const hasPlace = <Pupil extends Reading>(pupil: Pupil): pupil is Pupil & { standing: PlacedStanding } =>
  isPlaced(pupil.standing);

const compare = (a: PlacedStanding, b: PlacedStanding): number =>
  a.reading_level - b.reading_level || a.accuracy - b.accuracy;

/**
 * The fifth of the pupils who read least well, rounded up: the lowest level first, then the lowest accuracy. All who read
 * as the last of them does are included; equals keep their order. Pupils who read too little are left out.
 */
export function chooseLowestFifth<Pupil extends Reading>(
  pupils: readonly Pupil[],
): { placed: number; lowest: (Pupil & { standing: PlacedStanding })[] } {
  const placed = pupils.filter(hasPlace).toSorted((a, b) => compare(a.standing, b.standing));
  const last = placed[Math.ceil(placed.length / 5) - 1];
  return {
    placed: placed.length,
    lowest: last ? placed.filter(({ standing }) => compare(standing, last.standing) <= 0) : [],
  };
}
