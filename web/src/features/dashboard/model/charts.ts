import type { ChartName } from '#contract/calls/charts.ts';
import type { Measure } from './measures.ts';

export interface ChartKind {
  name: ChartName;
  title: string;
  measure: Measure;
  /** What is drawn side by side: stretches of time, or pupils. */
  along: 'time' | 'pupils';
  /** What the average is an average of; none where there is only one pupil. */
  averageLabel?: string;
  totalLabel?: string;
  definition: string;
}

const ACCURACY =
  'Words read correctly out of the words attempted. Self-corrections and repetitions are no errors. Over several readings the words attempted decide how much each of them counts.';
const TIME = 'Active reading time: the clock stops after 60 seconds without activity.';
const NOW = 'The figures are those of the pupils who are in the class now.';

const FAINT = 'The levels are faint until they are chosen in the legend.';

const ACCURACY_OVER_TIME = {
  name: 'group_accuracy_by_reading_level_over_time',
  title: 'Accuracy over time',
  measure: 'accuracy',
  along: 'time',
  averageLabel: 'Average',
} as const;
const TIME_OVER_TIME = {
  name: 'group_reading_time_by_reading_level_over_time',
  title: 'Reading time over time',
  measure: 'time',
  along: 'time',
  totalLabel: 'Total',
} as const;

/** The charts of a pupil's page. */
export const PUPIL_CHARTS: readonly ChartKind[] = [
  {
    ...ACCURACY_OVER_TIME,
    definition: `${ACCURACY} Where the pupil did not read the line is broken. ${FAINT}`,
  },
  { ...TIME_OVER_TIME, definition: TIME },
];

/** The charts of the dashboard, in their order. */
export const CHARTS: readonly ChartKind[] = [
  {
    ...ACCURACY_OVER_TIME,
    definition: `${ACCURACY} Where nobody read the line is broken. ${FAINT} ${NOW}`,
  },
  {
    ...TIME_OVER_TIME,
    averageLabel: 'Average per pupil',
    definition: `${TIME} The average is the total divided by all pupils, those without reading included. ${NOW}`,
  },
  {
    name: 'readers_accuracy_by_reading_level',
    title: 'Accuracy by pupil',
    measure: 'accuracy',
    along: 'pupils',
    averageLabel: 'Average',
    definition: `${ACCURACY} The dot is a pupil's accuracy over all levels; point at it for that on each. The scale begins below the lowest. A dash: no word attempted.`,
  },
  {
    name: 'readers_read_books_by_reading_level',
    title: 'Books read by pupil',
    measure: 'books',
    along: 'pupils',
    averageLabel: 'Average per pupil',
    totalLabel: 'Total',
    definition:
      'Books completed: read to the last page in these dates. A book completed more than once counts once. The average is the total divided by all pupils, those without reading included.',
  },
  {
    name: 'readers_reading_time_by_reading_level',
    title: 'Reading time by pupil',
    measure: 'time',
    along: 'pupils',
    averageLabel: 'Average per pupil',
    totalLabel: 'Total',
    definition: `${TIME} The average is the total divided by all pupils, those without reading included.`,
  },
];
