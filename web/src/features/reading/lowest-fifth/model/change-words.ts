import type { LowestFifth, LowestFifthPupil } from '#contract/calls/lowest-fifth.ts';
import { count, formatAccuracy } from '../../../../shared/format.ts';

/** What changed since the six weeks before: `Level 2, before level 1`, `88%, before 84%`, `Also before`. */
export function describeChanges({
  reading_level: level,
  accuracy,
  before,
  was_listed: wasListed,
}: Pick<LowestFifthPupil, 'reading_level' | 'accuracy' | 'before' | 'was_listed'>): string[] {
  if (!before) return ['New: no reading before'];
  const percent = formatAccuracy(accuracy);
  const earlier = before.accuracy === null ? null : formatAccuracy(before.accuracy);
  return [
    before.reading_level === level
      ? `Level ${level}, as before`
      : `Level ${level}, before level ${before.reading_level}`,
    earlier === null
      ? `${percent}, before too few words`
      : earlier === percent
        ? `${percent}, as before`
        : `${percent}, before ${earlier}`,
    wasListed ? 'Also before' : 'Since the last six weeks',
  ];
}

/** With fewer pupils a fifth is less than one of them. */
const MIN_PLACED = 5;

/**
 * Who is listed, in sentences.
 * @param listed how many are
 */
export function describeChoice(
  { placed, too_little: tooLittle }: Pick<LowestFifth, 'placed' | 'too_little'>,
  listed: number,
): string {
  if (placed + tooLittle === 0) return 'No pupil is in this year group.';
  const few = `Only ${count(placed, 'pupil')} can be placed, which is too few for a fifth: the list shows ${listed === 1 ? 'the one who reads' : 'those who read'} least well.`;
  return [
    placed >= MIN_PLACED ? `${listed} of the ${placed} pupils who can be placed.` : placed > 0 ? few : '',
    tooLittle > 0 ? `${tooLittle} read too little to be placed.` : '',
  ]
    .join(' ')
    .trim();
}
