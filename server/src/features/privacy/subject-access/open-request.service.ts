import type { z } from 'zod';
import type { SubjectRequest, subjectRequestBody } from '#contract/calls/subject-requests.ts';
import { RIGHTS } from '#contract/rights.ts';
import type { UserSession } from '../../../auth/sessions.queries.ts';
import { addDays, dayIn } from '../../../clock.ts';
import { findCurrentOrFormerMember } from '../erasure/erasure.public.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { AppError, fieldError } from '../../../errors.ts';
import { readClockOf, TIME_ZONE } from './subject-clock.service.ts';
import { findPupils, insertRequest } from './subject-requests.queries.ts';
import { describeRequests, recordRequest } from './subject-requests.service.ts';

/** How long ago a request may have been received when it is recorded. */
const MAX_DAYS_LATE = 366;

/** Throws `validation` for a request that its kind does not allow. */
function assertRequestAllowed({
  kind,
  subject,
  details,
  maturity,
  requester_relation: relation,
  school_type: schoolType,
}: z.output<typeof subjectRequestBody>): void {
  const right = RIGHTS[kind];
  if (subject.kind === 'staff' && !right.isForStaff)
    throw fieldError('kind', 'Only pupils have an educational record. Choose something else.');
  if (!right.hasFile && !details) throw fieldError('details', 'Say what the person asks for.');
  if (subject.kind === 'pupil' && right.isOfPupil && !maturity)
    throw fieldError('maturity', 'Choose who decides about the request.');
  if (kind !== 'educational_record') return;
  if (relation !== 'parent')
    throw fieldError('requester_relation', 'Only a parent or carer can ask for the educational record.');
  if (!schoolType) throw fieldError('school_type', 'Choose what kind of school you are.');
  if (schoolType === 'other')
    throw fieldError(
      'school_type',
      'Parents have this right at maintained schools and non-maintained special schools in England. Record a request for a copy of the data instead.',
    );
}

/**
 * Records a request or complaint about the data of a person. Throws `pupil_not_found`, `teacher_not_found`,
 * `subject_request_open` or `validation`.
 */
export async function openRequest(
  db: SchoolDb,
  me: UserSession,
  body: z.output<typeof subjectRequestBody>,
  now: Date,
): Promise<SubjectRequest> {
  const { kind, subject, received_on: receivedOn, maturity, school_type: schoolType } = body;
  const today = dayIn(TIME_ZONE, now);
  if (receivedOn > today) throw fieldError('received_on', 'Give a day that is not in the future.');
  if (receivedOn < addDays(today, -MAX_DAYS_LATE)) throw fieldError('received_on', 'Give a day in the last 12 months.');
  assertRequestAllowed(body);
  const pupilId = subject.kind === 'pupil' ? subject.id : null;
  const userId = subject.kind === 'staff' ? subject.id : null;
  if (pupilId !== null && (await findPupils(db, [pupilId], { locks: true })).length === 0)
    throw new AppError('pupil_not_found');
  if (userId !== null && !(await findCurrentOrFormerMember(db, userId, { locks: true })))
    throw new AppError('teacher_not_found');
  const right = RIGHTS[kind];
  const { dueOn } = await readClockOf(db, { kind, received_on: receivedOn, steps: [] });
  const request = await insertRequest(db, {
    kind,
    pupil_id: pupilId,
    user_id: userId,
    requester_name: body.requester_name,
    requester_relation: body.requester_relation,
    details: body.details ?? null,
    identity_check: right.isForAcknowledgement ? null : (body.identity_check ?? null),
    maturity: pupilId !== null && right.isOfPupil ? (maturity ?? null) : null,
    received_on: receivedOn,
    due_on: dueOn,
    opened_by: me.userId,
    opened_at: now,
  });
  if (!request) throw new AppError('subject_request_open');
  await recordRequest(db, me, now, request, 'subject_request_opened', {
    due_on: dueOn,
    ...(kind === 'educational_record' && { school_type: schoolType }),
  });
  const [described] = await describeRequests(db, [request], now);
  if (!described) throw new AppError('not_found');
  return described;
}
