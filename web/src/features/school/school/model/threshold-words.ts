import type { NeedThresholds } from '#contract/calls/reading-needs.ts';

/** The labels of a threshold, around its number. */
interface ThresholdWords {
  key: keyof NeedThresholds;
  label: string;
  unit: string;
  /** The rule in words, with its number. */
  rule: (number: number) => string;
  /** Shown when 0 leaves the reason out. */
  off: string;
}

const count = (number: number, singular: string, plural = `${singular}s`) =>
  `${number} ${number === 1 ? singular : plural}`;

export const THRESHOLDS: readonly ThresholdWords[] = [
  {
    key: 'days_without_reading',
    label: 'School days without reading',
    unit: 'school days',
    rule: (days) => `has not read for ${count(days, 'school day')}`,
    off: 'Days without reading do not count.',
  },
  {
    key: 'accuracy_below',
    label: 'Accuracy below',
    unit: 'per cent',
    rule: (percent) => `reads with an accuracy under ${percent}% at their level`,
    off: 'Low accuracy does not count.',
  },
  {
    key: 'falling_by',
    label: 'Accuracy falling by',
    unit: 'points over three readings',
    rule: (points) => `falls by ${count(points, 'point')} or more over three readings`,
    off: 'Falling accuracy does not count.',
  },
  {
    key: 'same_word_in',
    label: 'The same word hard in',
    unit: 'of the last ten readings',
    rule: (readings) => `finds the same word hard in ${readings} of the last ten readings`,
    off: 'Hard words do not count.',
  },
  {
    key: 'book_begun',
    label: 'A book started without finishing it',
    unit: 'times',
    rule: (times) => `begins a book ${count(times, 'time')} and does not finish it`,
    off: 'Unfinished books do not count.',
  },
];

/** The rules for who is on the list. */
export const rulesInWords = (thresholds: NeedThresholds): string[] => [
  ...THRESHOLDS.flatMap(({ key, rule }) => (thresholds[key] > 0 ? [rule(thresholds[key])] : [])),
  'has no book assigned',
];

/** The reasons that are left out. */
export const offInWords = (thresholds: NeedThresholds): string[] =>
  THRESHOLDS.flatMap(({ key, off }) => (thresholds[key] === 0 ? [off] : []));
