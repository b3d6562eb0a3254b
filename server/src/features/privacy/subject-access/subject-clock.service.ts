import type { SubjectRequest } from '#contract/calls/subject-requests.ts';
import { type Clock, NO_OWN_TERMS, readClock, type RequestDates } from '#contract/rights.ts';
import { dayIn } from '../../../clock.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { getOwnTerms } from '../../school/school/school.public.ts';
import type { StoredRequest } from './subject-requests.queries.ts';
import { listSteps, type StoredStep } from './subject-steps.queries.ts';

/** Days, bank holidays and due dates are those of England and Wales. */
export const TIME_ZONE = 'Europe/London';

/** The dates on which the clock of a request depends. */
export const datesOf = (
  { kind, received_on }: Pick<StoredRequest, 'kind' | 'received_on'>,
  steps: readonly StoredStep[],
): RequestDates => ({ kind, received_on, steps: steps.map(({ step, happened_on: on }) => ({ step, on })) });

/** Reads a request's clock with the school's term dates where it counts school days. */
export const readClockOf = async (db: SchoolDb, dates: RequestDates): Promise<Clock> =>
  readClock(dates, dates.kind === 'educational_record' ? await getOwnTerms(db) : NO_OWN_TERMS);

type ClockFields = Pick<
  SubjectRequest,
  'clock' | 'starts_on' | 'due_on' | 'is_extended' | 'is_overdue' | 'last_told_on'
>;

/** A request with its steps, and what its clock shows. */
export interface RequestWithClock {
  request: StoredRequest;
  fields: ClockFields;
  reading: Clock;
  dates: RequestDates;
  steps: StoredStep[];
}

/** Reads the steps and clocks of requests. */
export async function describeClocks(
  db: SchoolDb,
  requests: readonly StoredRequest[],
  now: Date,
): Promise<RequestWithClock[]> {
  const today = dayIn(TIME_ZONE, now);
  const stepsByRequest = await listSteps(
    db,
    requests.map(({ id }) => id),
  );
  const terms = requests.some(({ kind }) => kind === 'educational_record') ? await getOwnTerms(db) : NO_OWN_TERMS;
  return requests.map((request) => {
    const steps = stepsByRequest.get(request.id) ?? [];
    const dates = datesOf(request, steps);
    const reading = readClock(dates, terms);
    const lastContact = steps.findLast(({ step }) => step === 'acknowledged' || step === 'progress_told');
    const fields = {
      clock: reading.state,
      starts_on: reading.startsOn,
      due_on: reading.dueOn,
      is_extended: reading.isExtended,
      is_overdue: request.closed_at === null && reading.dueOn !== null && reading.dueOn < today,
      last_told_on: lastContact?.happened_on ?? null,
    };
    return { request, fields, reading, dates, steps };
  });
}
