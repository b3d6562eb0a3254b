import type { ExportFile } from '#contract/export-files.ts';

/** What the registry declares about one kind of data. */
export interface Holding {
  title: string;
  contents: string;
  whose: readonly ('pupils' | 'staff' | 'school' | 'company')[];
  purpose: string;
  /** A note on the law, where a period or purpose follows from it. */
  legal?: string;
  recipients: string;
  /** A file of the school's export, or where the school finds the data instead. */
  exported: ExportFile | { shown: string };
  /** What ends it, except a period in the rules of its tables. */
  erased: string;
  /** What keeps it, where its tables have no rule. */
  kept?: string;
}

/* Phrases that several holdings share. */
export const STAFF_AND_SUPPORT = 'Staff of the school. Our support team while it helps the school.';
export const NO_ONE = 'No one: the portal uses it itself.';
export const WITH_PUPIL = 'Erasing the pupil';
