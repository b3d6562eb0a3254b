import type { SchoolRecordsPlan } from '#contract/calls/school-records.ts';
import type { Role } from '#contract/permissions.ts';
import type { StagedPupil, StagedSchoolRecords } from '../../../database/column-types.ts';
import type { RecordedYearGroup, YearGroup } from '#contract/year-group.ts';
import type { ClassLink, PupilLink } from '../runs/runs.public.ts';

/** What one source states about a school, validated. A pupil's name has the first name first. */
export interface SchoolRecords extends StagedSchoolRecords {
  pupils: readonly StagedPupil[];
}

/** A member of staff, as far as this source is concerned. */
export interface StaffState {
  id: number;
  name: string;
  email: string;
  role: Role;
  /** Whether records of this source named them since they joined, and no admin decided that they stay without. */
  isExpected: boolean;
}

/** The school's current data, with which school records are compared. */
export interface SchoolState {
  /** Including archived pupils, whose class is null. */
  pupils: readonly {
    id: number;
    name: string;
    classId: number | null;
    isArchived: boolean;
    yearGroup: RecordedYearGroup | null;
  }[];
  classes: readonly { id: number; name: string }[];
  /** The links of this source. */
  links: readonly PupilLink[];
  classLinks: readonly ClassLink[];
  /** The links of other sources. Their pupils and classes are never changed. */
  otherLinks: readonly PupilLink[];
  otherClassIds: readonly number[];
  /** The email addresses of staff and of open invitations, in the form in which they are compared. */
  staffEmails: ReadonlySet<string>;
  /** The current staff. */
  staff: readonly StaffState[];
  /** True from June to September, when pupils of Year 6 are expected to leave. */
  isLeavingSeason: boolean;
}

/** What an admin has decided about the questions of a plan. */
export interface PlanAnswers {
  /** By source ID: the same child as this pupil, or `new`. */
  merges: ReadonlyMap<string, number | 'new'>;
  /** By the pupil's source ID: the source ID of the class to use. */
  classes: ReadonlyMap<string, string>;
  /** The source IDs of joiners who are not added. */
  leftOut: ReadonlySet<string>;
}

export const NO_ANSWERS: PlanAnswers = { merges: new Map(), classes: new Map(), leftOut: new Set() };

/** A class of the school, or one that the run creates, by its key. */
export type ClassTarget = { id: number } | { newKey: string };

/** A link as it will be. The class of `target` counts as applied; undefined keeps `classId`. */
export interface PlannedLink extends Omit<PupilLink, 'pupilId'> {
  /** Null for a pupil to create. */
  pupilId: number | null;
  target: ClassTarget | undefined;
}

export interface PlannedChanges {
  /** What the admin sees. */
  plan: SchoolRecordsPlan;
  newClasses: Map<string, string>;
  renames: { id: number; name: string }[];
  classLinks: { sourceId: string; target: ClassTarget; name: string }[];
  joiners: { sourceId: string; name: string; target: ClassTarget | undefined; yearGroup: YearGroup | null }[];
  returners: { pupilId: number; target: ClassTarget | undefined }[];
  moves: { pupilId: number; target: ClassTarget }[];
  nameChanges: { pupilId: number; name: string }[];
  /** As the source states them, changed or not. */
  yearGroups: { pupilId: number; yearGroup: YearGroup }[];
  links: PlannedLink[];
}
