import type { BodyOf } from '#contract/call.ts';
import { NOTE_MISSING, NOTED_STEPS, type subjectRequestCalls } from '#contract/calls/subject-requests.ts';
import { lastDayOf, listNextSteps } from '#contract/rights.ts';
import type { UserSession } from '../../../auth/sessions.queries.ts';
import { dayIn, formatLongDay } from '../../../clock.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { AppError, fieldError } from '../../../errors.ts';
import { datesOf, readClockOf, TIME_ZONE } from './subject-clock.service.ts';
import { lockOpenRequest, recordRequest } from './subject-requests.service.ts';
import { type StoredRequest, updateRequest } from './subject-requests.queries.ts';
import { deleteStep, insertStep, listSteps } from './subject-steps.queries.ts';

export const MAX_STEPS = 100;

/** Stores the due day that follows from a request's steps, and what else a step changes. */
async function updateClock(db: SchoolDb, request: StoredRequest, change: Partial<StoredRequest> = {}): Promise<void> {
  const steps = (await listSteps(db, [request.id])).get(request.id) ?? [];
  const { dueOn } = await readClockOf(db, datesOf(request, steps));
  await updateRequest(db, request.id, { ...change, due_on: dueOn });
}

/**
 * Records a step of an open request. Throws `not_found`, `subject_request_closed`, `subject_step_unavailable` for a step
 * that cannot be next, or `validation` for a day that is in the future, before the last step, or too late.
 */
export async function recordStep(
  db: SchoolDb,
  me: UserSession,
  requestId: number,
  { step, on, note }: BodyOf<typeof subjectRequestCalls.recordSubjectStep>,
  now: Date,
): Promise<void> {
  const request = await lockOpenRequest(db, requestId);
  const steps = (await listSteps(db, [requestId])).get(requestId) ?? [];
  const dates = datesOf(request, steps);
  const isNext = listNextSteps(dates, request.identity_check !== null).includes(step);
  if (!isNext || steps.length >= MAX_STEPS) throw new AppError('subject_step_unavailable');
  const lastStep = steps.at(-1);
  const earliest = lastStep?.happened_on ?? request.received_on;
  if (on > dayIn(TIME_ZONE, now)) throw fieldError('on', 'Give a day that is not in the future.');
  if (on < earliest)
    throw fieldError(
      'on',
      `Give ${formatLongDay(earliest)} or a later day. ${lastStep ? 'The last step was' : 'The request arrived'} on that day.`,
    );
  const lastDay = lastDayOf(step, dates);
  if (lastDay !== null && on > lastDay)
    throw fieldError(
      'on',
      step === 'extended'
        ? `The person had to be told by ${formatLongDay(lastDay)}. After that the time cannot be extended.`
        : `The time to answer ended on ${formatLongDay(lastDay)}. After that nothing stops the clock.`,
    );
  const text = NOTED_STEPS.includes(step) ? (note ?? null) : null;
  if (text === null && NOTED_STEPS.includes(step)) throw fieldError('note', NOTE_MISSING);
  const isIdentity = step === 'identity_confirmed';
  await insertStep(db, {
    request_id: requestId,
    step,
    happened_on: on,
    note: isIdentity ? null : text,
    recorded_by: me.userId,
    recorded_at: now,
  });
  await updateClock(db, request, isIdentity ? { identity_check: text } : {});
  await recordRequest(db, me, now, request, 'subject_step_recorded', { step, on });
}

/**
 * Removes the last step of an open request. Throws `not_found`, `subject_request_closed`, or `subject_step_unavailable`
 * for a step that is not the last one.
 */
export async function undoStep(
  db: SchoolDb,
  me: UserSession,
  requestId: number,
  stepId: number,
  now: Date,
): Promise<void> {
  const request = await lockOpenRequest(db, requestId);
  const last = (await listSteps(db, [requestId])).get(requestId)?.at(-1);
  if (last?.id !== stepId) throw new AppError('subject_step_unavailable');
  await deleteStep(db, requestId, stepId);
  await updateClock(db, request, last.step === 'identity_confirmed' ? { identity_check: null } : {});
  await recordRequest(db, me, now, request, 'subject_step_undone', { step: last.step, on: last.happened_on });
}
