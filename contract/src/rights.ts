import type { Nation } from './nations.ts';
import { calendarOf, listSchoolDays, plusDays, type SchoolYear, termYearOf, usualYear } from './school-calendar.ts';
import { isWorkingDay, nextWorkingDay, plusMonths } from './working-days.ts';

/** What a person can ask of a school about data, in the order of the form. */
export const REQUEST_KINDS = [
  'access',
  'educational_record',
  'rectification',
  'erasure',
  'objection',
  'complaint',
] as const;
export type RequestKind = (typeof REQUEST_KINDS)[number];

/** What happens in a request between its receipt and its end, each on a day. */
export const REQUEST_STEPS = [
  'identity_asked',
  'identity_confirmed',
  'clarification_asked',
  'clarification_answered',
  'extended',
  'acknowledged',
  'progress_told',
] as const;
export type RequestStep = (typeof REQUEST_STEPS)[number];

/** A right and the time that the law gives to answer. */
interface Right {
  /** The time to answer; of a complaint, to acknowledge it. Months and days end on the next working day. */
  time: { months: number } | { schoolDays: number } | { days: number };
  /** `identity`: when the proof of identity arrives that the school asked for, otherwise on receipt. */
  startsOn: 'identity' | 'receipt';
  /** Months that can be added; the requester is informed of the reason before the first time ends; 0 if it cannot be extended. */
  extensionMonths: number;
  /** Whether the days between asking which information is meant and the answer do not count. */
  isPausable: boolean;
  /** Whether the time is for an acknowledgement, after which no day is fixed: the person is informed of progress and outcome without undue delay. */
  isForAcknowledgement: boolean;
  /** Whether the requester gets a file with everything about the person. */
  hasFile: boolean;
  /** Whether a pupil who understands the request decides about it. */
  isOfPupil: boolean;
  /** Whether it can be about a member of staff. */
  isForStaff: boolean;
}

const MONTH = {
  time: { months: 1 },
  startsOn: 'identity',
  extensionMonths: 2,
  isPausable: false,
  isForAcknowledgement: false,
  hasFile: false,
  isOfPupil: true,
  isForStaff: true,
} as const;

/**
 * The rights with their clocks. Sources: UK GDPR, Article 12A; the Education (Pupil Information) (England) Regulations
 * 2005, regulation 5; Data Protection Act 2018, section 164A; guides of the Information Commissioner’s Office.
 */
export const RIGHTS: Readonly<Record<RequestKind, Right>> = {
  access: { ...MONTH, isPausable: true, hasFile: true },
  educational_record: {
    time: { schoolDays: 15 },
    startsOn: 'receipt',
    extensionMonths: 0,
    isPausable: false,
    isForAcknowledgement: false,
    hasFile: true,
    isOfPupil: false,
    isForStaff: false,
  },
  rectification: MONTH,
  erasure: MONTH,
  objection: MONTH,
  complaint: {
    time: { days: 30 },
    startsOn: 'receipt',
    extensionMonths: 0,
    isPausable: false,
    isForAcknowledgement: true,
    hasFile: false,
    isOfPupil: false,
    isForStaff: true,
  },
};

/** The types of school on the form; a parent’s right to the educational record exists in the first two, in England. */
export const SCHOOL_TYPES = ['maintained', 'non_maintained_special', 'other'] as const;

/** What the clock of a request depends on. `steps` are in the order in which they happened. */
export interface RequestDates {
  kind: RequestKind;
  /** The day of receipt. */
  received_on: string;
  steps: readonly { step: RequestStep; on: string }[];
}

/** The clock of a request. Days are strings (`2026-11-21`). */
export interface Clock {
  /**
   * `waiting_for_identity`: not started. `paused`: until the requester answers which information is meant. `no_fixed_day`:
   * an acknowledged complaint.
   */
  state: 'running' | 'waiting_for_identity' | 'paused' | 'no_fixed_day';
  /** Null while it waits for proof of identity. */
  startsOn: string | null;
  /** The last day to answer, or to acknowledge a complaint. Null unless the clock runs. */
  dueOn: string | null;
  /** The last day to tell the requester of an extension. Null where none is possible, or while the clock does not run. */
  extendBy: string | null;
  isExtended: boolean;
  /** The usual term dates count where the school has not entered its own. */
  usesUsualTerms: boolean;
}

/** The school days of a year are enough for every period. */
const MAX_DAYS_AHEAD = 366;

/** The term dates and days without school that a school has entered, and its nation. */
export interface OwnTerms {
  years: Readonly<Record<number, SchoolYear>>;
  nation: Nation | null;
  daysOff: readonly string[];
}

export const NO_OWN_TERMS: OwnTerms = { years: {}, nation: null, daysOff: [] };

/** The last of a number of school days after a day, and the academic years it depends on. */
function plusSchoolDays(
  day: string,
  total: number,
  { years, nation, daysOff }: OwnTerms,
): { last: string; usesUsualTerms: boolean } {
  const range = { from: plusDays(day, 1), to: plusDays(day, MAX_DAYS_AHEAD) };
  const own = listSchoolDays(calendarOf(years, nation, daysOff), range).filter((schoolDay) =>
    isWorkingDay(schoolDay, nation),
  )[total - 1];
  const last =
    own ??
    listSchoolDays((year) => usualYear(year, nation), range).filter((schoolDay) => isWorkingDay(schoolDay, nation))[
      total - 1
    ] ??
    range.to;
  const isUsual = (year: number) => own === undefined || years[year] === undefined;
  return { last, usesUsualTerms: isUsual(termYearOf(range.from, nation)) || isUsual(termYearOf(last, nation)) };
}

const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 86_400_000;
const later = (left: string, right: string): string => (left > right ? left : right);

/** Asking which information is meant, with the day of the answer; null until it arrives. */
function listPauses(steps: RequestDates['steps']): { from: string; to: string | null }[] {
  return steps.flatMap(({ step, on }, index) =>
    step === 'clarification_asked'
      ? { from: on, to: steps.slice(index).find((next) => next.step === 'clarification_answered')?.on ?? null }
      : [],
  );
}

/** The day of a step, the latest if it happened more than once. */
const dayOf = ({ steps }: Pick<RequestDates, 'steps'>, step: RequestStep): string | undefined =>
  steps.findLast((entry) => entry.step === step)?.on;

/**
 * Calculates the clock of a request.
 * @param terms the term dates that the school has entered
 */
export function readClock(request: RequestDates, terms: OwnTerms = NO_OWN_TERMS): Clock {
  const { kind, received_on: receivedOn, steps } = request;
  const right = RIGHTS[kind];
  const isExtended = dayOf(request, 'extended') !== undefined;
  const clock: Clock = {
    state: 'running',
    startsOn: receivedOn,
    dueOn: null,
    extendBy: null,
    isExtended,
    usesUsualTerms: false,
  };
  if (right.isForAcknowledgement && dayOf(request, 'acknowledged')) return { ...clock, state: 'no_fixed_day' };
  if ('days' in right.time) return { ...clock, dueOn: nextWorkingDay(plusDays(receivedOn, right.time.days)) };
  if ('schoolDays' in right.time) {
    const { last, usesUsualTerms } = plusSchoolDays(receivedOn, right.time.schoolDays, terms);
    return { ...clock, dueOn: last, usesUsualTerms };
  }

  const needsProof = right.startsOn === 'identity' && dayOf(request, 'identity_asked') !== undefined;
  const confirmedOn = dayOf(request, 'identity_confirmed');
  if (needsProof && !confirmedOn) return { ...clock, state: 'waiting_for_identity', startsOn: null };
  const startsOn = needsProof && confirmedOn ? later(receivedOn, confirmedOn) : receivedOn;
  const pauses = listPauses(steps);
  if (pauses.some(({ to }) => to === null)) return { ...clock, state: 'paused', startsOn };
  const { months } = right.time;
  const dueAfter = (total: number): string => {
    let last = plusMonths(startsOn, total);
    for (const { from, to } of pauses) {
      if (to === null || to <= startsOn) continue;
      // The days that were left when the clock stopped are counted from the answer.
      last = plusDays(to, Math.max(0, daysBetween(later(from, startsOn), last)));
    }
    return nextWorkingDay(last);
  };
  return {
    ...clock,
    startsOn,
    dueOn: dueAfter(isExtended ? months + right.extensionMonths : months),
    extendBy: right.extensionMonths > 0 && !isExtended ? dueAfter(months) : null,
  };
}

/** The steps that can be recorded next in an open request. @param isIdentified it is recorded how identity was checked */
export function listNextSteps(request: RequestDates, isIdentified: boolean): RequestStep[] {
  const right = RIGHTS[request.kind];
  const { state, isExtended } = readClock(request);
  if (right.isForAcknowledgement) return [state === 'no_fixed_day' ? 'progress_told' : 'acknowledged'];
  const steps: RequestStep[] = [];
  if (!isIdentified && dayOf(request, 'identity_asked') === undefined) steps.push('identity_asked');
  if (!isIdentified) steps.push('identity_confirmed');
  if (right.isPausable) steps.push(isPaused(request) ? 'clarification_answered' : 'clarification_asked');
  if (right.extensionMonths > 0 && !isExtended && state !== 'waiting_for_identity') steps.push('extended');
  return steps;
}

const isPaused = ({ steps }: RequestDates): boolean => listPauses(steps).some(({ to }) => to === null);

/**
 * The last day on which a step can have happened, if the law or the clock sets one: the time that has run out can be
 * neither stopped nor extended.
 */
export function lastDayOf(step: RequestStep, request: RequestDates): string | null {
  const { dueOn, extendBy } = readClock(request);
  if (step === 'extended') return extendBy;
  return step === 'clarification_asked' || (step === 'identity_asked' && RIGHTS[request.kind].startsOn === 'identity')
    ? dueOn
    : null;
}
