import { ACCURACY_BANDS, MIN_WORDS } from '#contract/accuracy.ts';
import type { PupilReading } from '#contract/calls/class-reading.ts';

/** The parameter of the URL. */
export const ACCURACY_FILTER = 'accuracy';

const TOO_FEW = 'few';
const VALUES = ['below_90', '90_to_94', 'from_95'] as const;

/** What the pupils of a class can be filtered by. */
export const ACCURACY_CHOICES = [
  ...ACCURACY_BANDS.map(({ name }, index) => ({ value: VALUES[index] ?? name, label: name })),
  { value: TOO_FEW, label: 'Too few words' },
];

/** The choice in a URL; undefined for all pupils. */
export const readAccuracyFilter = (value: string | undefined): string | undefined =>
  ACCURACY_CHOICES.find((choice) => choice.value === value)?.value;

/** Where a pupil's reading belongs. A pupil who has read too few words is in no band. */
function choiceOf(reading: Pick<PupilReading, 'accuracy' | 'words'> | undefined): string {
  if (!reading || reading.accuracy === null || reading.words < MIN_WORDS) return TOO_FEW;
  const { accuracy } = reading;
  return VALUES[ACCURACY_BANDS.findLastIndex(({ from }) => accuracy >= from)] ?? TOO_FEW;
}

/** The pupils of a class with the chosen accuracy, all of them without a choice. */
export function filterByAccuracy<Pupil extends { id: number }>(
  pupils: readonly Pupil[],
  choice: string | undefined,
  ofPupil: ReadonlyMap<number, Pick<PupilReading, 'accuracy' | 'words'>>,
): readonly Pupil[] {
  return choice === undefined ? pupils : pupils.filter(({ id }) => choiceOf(ofPupil.get(id)) === choice);
}
