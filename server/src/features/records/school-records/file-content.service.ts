import type { YearGroup } from '#contract/year-group.ts';

/** A pupil in a file. A name has the first name first. */
export interface FilePupil {
  /** Null in a Common Transfer File, which has no IDs of its own. */
  sourceId: string | null;
  name: string | null;
  yearGroup: YearGroup | null;
  classIds: string[];
  upn: string | null;
  /** YYYY-MM-DD. */
  birthDate: string | null;
  isGone: boolean;
}

/** What a file states about a school. */
export interface SchoolRecordsFile {
  kind: 'oneroster' | 'ctf';
  isComplete: boolean;
  pupils: FilePupil[];
  classes: { sourceId: string; name: string; isHomeroom: boolean }[];
  staff: { name: string; email: string }[];
  /** What could not be used, for people. */
  notes: string[];
}

/** The file cannot be used. `failure` is a message for people that quotes no values of the file. */
export class SchoolRecordsFileError extends Error {
  readonly failure: string;
  constructor(failure: string) {
    super(failure);
    this.failure = failure;
  }
}
