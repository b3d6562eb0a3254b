import type { SCHOOL_RECORDS_FILE_KINDS } from '#contract/calls/school-records.ts';
import type { SchoolRecordsSchool } from '#contract/school-records-connection.ts';
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
  kind: (typeof SCHOOL_RECORDS_FILE_KINDS)[number];
  isComplete: boolean;
  pupils: FilePupil[];
  classes: { sourceId: string; name: string; isHomeroom: boolean }[];
  staff: { name: string; email: string }[];
  /**
   * The addresses of people who may be staff as well, because their record cannot be read or their role begins later. Null
   * when a missing person means nothing.
   */
  unclearStaff: string[] | null;
  /** What could not be used, for people. */
  notes: string[];
}

/** A school whose pupils a file has, with how many. */
export type SchoolOption = SchoolRecordsSchool;

/** What was read, or null if the file has pupils of other schools than the chosen one, or of several without a choice. */
export interface FileReading {
  schools: SchoolOption[];
  file: SchoolRecordsFile | null;
}

/** The file cannot be used. `failure` is a message for people that quotes no values of the file. */
export class SchoolRecordsFileError extends Error {
  readonly failure: string;
  constructor(failure: string) {
    super(failure);
    this.failure = failure;
  }
}
