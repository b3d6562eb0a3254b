import type { ChartName } from '#contract/calls/charts.ts';
import { ACCURACY, BOOKS, type Measure, READING_TIME } from './measures.ts';

export interface ChartKind {
  name: ChartName;
  title: string;
  /** Its column in the printed table of pupils. */
  shortTitle?: string;
  measure: Measure;
  /** What is side by side: days, weeks or months, or pupils. */
  along: 'time' | 'pupils';
  /** Absent for a single pupil, who has no average. */
  averageLabel?: string;
  totalLabel?: string;
  definition: string;
}

const ACCURACY_DEFINITION =
  'Words read correctly out of the words attempted. Self-corrections and repetitions are not errors. A reading with more words counts for more.';
const TIME_DEFINITION = 'Active reading time: the clock stops after 60 seconds without activity.';
const NOW = 'Only pupils who are in the class now are counted.';

const LEVELS = 'Select a level in the legend to see it clearly.';

const ACCURACY_OVER_TIME = {
  name: 'group_accuracy_by_reading_level_over_time',
  title: 'Accuracy over time',
  measure: ACCURACY,
  along: 'time',
  averageLabel: 'Average',
} as const;
const TIME_OVER_TIME = {
  name: 'group_reading_time_by_reading_level_over_time',
  title: 'Reading time over time',
  measure: READING_TIME,
  along: 'time',
  totalLabel: 'Total',
} as const;

/** The charts of a pupil's page. */
export const PUPIL_CHARTS: readonly ChartKind[] = [
  {
    ...ACCURACY_OVER_TIME,
    averageLabel: 'In these dates, at all levels',
    definition: `${ACCURACY_DEFINITION} The line is broken where the pupil did not read. ${LEVELS}`,
  },
  { ...TIME_OVER_TIME, definition: TIME_DEFINITION },
];

/** The charts of the dashboard, in their order. */
export const CHARTS: readonly ChartKind[] = [
  {
    ...ACCURACY_OVER_TIME,
    definition: `${ACCURACY_DEFINITION} The line is broken where no one read. ${LEVELS} ${NOW}`,
  },
  {
    ...TIME_OVER_TIME,
    averageLabel: 'Average per pupil',
    definition: `${TIME_DEFINITION} The average is the total divided by all pupils, including those who did not read. ${NOW}`,
  },
  {
    name: 'readers_accuracy_by_reading_level',
    title: 'Accuracy by pupil',
    shortTitle: 'Accuracy',
    measure: ACCURACY,
    along: 'pupils',
    averageLabel: 'Average',
    definition: `${ACCURACY_DEFINITION} The dot is a pupil’s accuracy over all levels: point at it to see each level. The scale begins below the lowest accuracy. A dash means that no word was attempted.`,
  },
  {
    name: 'readers_read_books_by_reading_level',
    title: 'Books read by pupil',
    shortTitle: 'Books',
    measure: BOOKS,
    along: 'pupils',
    averageLabel: 'Average per pupil',
    totalLabel: 'Total',
    definition:
      'Books completed: read to the last page in these dates. A book completed more than once counts once. The average is the total divided by all pupils, including those who did not read.',
  },
  {
    name: 'readers_reading_time_by_reading_level',
    title: 'Reading time by pupil',
    shortTitle: 'Time',
    measure: READING_TIME,
    along: 'pupils',
    averageLabel: 'Average per pupil',
    totalLabel: 'Total',
    definition: `${TIME_DEFINITION} The average is the total divided by all pupils, including those who did not read.`,
  },
];
