import type { AuditAction, AuditDetails } from '#contract/audit-details.ts';
import type { BodyOf } from '#contract/call.ts';
import type {
  SubjectRequest,
  SubjectRequestDetails,
  SubjectText,
  subjectRequestCalls,
} from '#contract/calls/subject-requests.ts';
import { listNextSteps, type RequestKind, RIGHTS } from '#contract/rights.ts';
import { namePeople, recordChange } from '../../../audit/audit-log.queries.ts';
import type { UserSession } from '../../../auth/sessions.queries.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { AppError, fieldError } from '../../../errors.ts';
import { enqueue } from '../../../jobs/queue.ts';
import { staffRows } from '../../accounts/access/access.public.ts';
import { titleOf } from '../registry/registry.public.ts';
import { nameKey } from '../../school/pupils/pupils.public.ts';
import { arePassagesOf } from './black-out.service.ts';
import { describeClocks, type RequestWithClock } from './subject-clock.service.ts';
import { deleteParts } from './subject-file.queries.ts';
import {
  findPupils,
  findRequest,
  insertDownload,
  listDownloads,
  listRequests,
  type StoredRequest,
  updateRequest,
} from './subject-requests.queries.ts';
import {
  countTexts,
  findText,
  listOtherNames,
  listTexts,
  NO_TEXTS,
  saveDecision,
  toPassages,
} from './subject-texts.queries.ts';

/** The job that makes a file. */
export const SUBJECT_FILE_JOB = 'subject-file';
export interface SubjectFileJob {
  schoolId: number;
  requestId: number;
}

const MAX_SHOWN_DOWNLOADS = 100;

interface Page {
  kind?: RequestKind | undefined;
  limit: number;
  offset: number;
}

/** The kind and number of the person whom a request is about. */
export const subjectOf = ({
  pupil_id: pupilId,
  user_id: userId,
}: StoredRequest): { kind: 'pupil' | 'staff'; id: number } =>
  pupilId === null ? { kind: 'staff', id: userId ?? 0 } : { kind: 'pupil', id: pupilId };

/** The pupil whose texts are reviewed for the file of a request; null for staff and where there is no file. */
const pupilToReview = ({ kind, pupil_id: pupilId }: StoredRequest): number | null =>
  RIGHTS[kind].hasFile ? pupilId : null;

/** Requests with the names of the people whom they are about. */
async function describeWithClocks(db: SchoolDb, requests: readonly RequestWithClock[]): Promise<SubjectRequest[]> {
  const pupilIds = requests.flatMap(({ request }) => request.pupil_id ?? []);
  const pupils = new Map((await findPupils(db, pupilIds)).map((pupil) => [pupil.id, pupil]));
  const users = await namePeople(
    db,
    requests.map(({ request }) => request.user_id),
  );
  const staff = new Set((await staffRows(db).execute()).map(({ user_id: userId }) => userId));
  return requests.map(({ request, fields }) => {
    const { kind, id } = subjectOf(request);
    const pupil = pupils.get(id);
    return {
      id: request.id,
      kind: request.kind,
      subject: {
        kind,
        id,
        name: (kind === 'pupil' ? pupil?.name : users.get(id)) ?? null,
        is_former: kind === 'pupil' ? pupil?.archived_at !== null : !staff.has(id),
      },
      requester_name: request.requester_name,
      requester_relation: request.requester_relation,
      received_on: request.received_on,
      ...fields,
      closed_at: request.closed_at?.toISOString() ?? null,
      outcome: request.outcome,
    };
  });
}

/** Requests as the list shows them. */
export const describeRequests = async (
  db: SchoolDb,
  requests: readonly StoredRequest[],
  now: Date,
): Promise<SubjectRequest[]> => describeWithClocks(db, await describeClocks(db, requests, now));

/** A page of the school's requests. */
export async function describePage(
  db: SchoolDb,
  page: Page,
  now: Date,
): Promise<{ requests: SubjectRequest[]; total: number }> {
  const { requests, total } = await listRequests(db, page);
  return { requests: await describeRequests(db, requests, now), total };
}

/** Finds a request. Throws `not_found`. */
export async function getRequest(db: SchoolDb, id: number, options: { locks?: boolean } = {}): Promise<StoredRequest> {
  const request = await findRequest(db, id, options);
  if (!request) throw new AppError('not_found');
  return request;
}

/** Locks an open request. Throws `not_found` or `subject_request_closed`. */
export async function lockOpenRequest(db: SchoolDb, id: number): Promise<StoredRequest> {
  const request = await getRequest(db, id, { locks: true });
  if (request.closed_at) throw new AppError('subject_request_closed');
  return request;
}

const isFileReady = ({ file_state, file_expires_at }: StoredRequest, now: Date): boolean =>
  file_state === 'ready' && file_expires_at !== null && file_expires_at > now;

/** A request with its file and downloads. Throws `not_found`. */
export async function describeRequest(db: SchoolDb, id: number, now: Date): Promise<SubjectRequestDetails> {
  const request = await getRequest(db, id);
  const clocks = await describeClocks(db, [request], now);
  const [clock] = clocks;
  const [described] = await describeWithClocks(db, clocks);
  if (!clock || !described) throw new AppError('not_found');
  const downloads = await listDownloads(db, id, MAX_SHOWN_DOWNLOADS);
  const users = await namePeople(db, [
    request.opened_by,
    request.closed_by,
    ...downloads.map(({ downloaded_by: by }) => by),
    ...clock.steps.map(({ recorded_by: by }) => by),
  ]);
  const nameOf = (userId: number | null) => (userId === null ? null : (users.get(userId) ?? null));
  const reviewed = pupilToReview(request);
  const isExpired = request.file_state === 'ready' && !isFileReady(request, now);
  return {
    ...described,
    details: request.details,
    identity_check: request.identity_check,
    steps: clock.steps.map(({ id: stepId, step, happened_on: on, note, recorded_by: by }) => ({
      id: stepId,
      step,
      on,
      note,
      recorded_by: nameOf(by),
    })),
    next_steps: request.closed_at ? [] : listNextSteps(clock.dates, request.identity_check !== null),
    extend_by: request.closed_at ? null : clock.reading.extendBy,
    uses_usual_terms: clock.reading.usesUsualTerms,
    maturity: request.maturity,
    opened_by: nameOf(request.opened_by),
    opened_at: request.opened_at.toISOString(),
    texts: reviewed === null ? NO_TEXTS : await countTexts(db, reviewed, id),
    file: {
      state: isExpired ? 'expired' : request.file_state,
      size: request.file_size,
      made_at: request.file_made_at?.toISOString() ?? null,
      expires_at: request.file_expires_at?.toISOString() ?? null,
    },
    downloads: downloads.map(({ downloaded_by: by, downloaded_at: at }) => ({ by: nameOf(by), at: at.toISOString() })),
    closed_by: nameOf(request.closed_by),
    outcome_note: request.outcome_note,
  };
}

type RequestAction = Extract<AuditAction, `subject_${string}`>;

/** Records an action on a request in the audit log, with the ID of the person and no names. */
export const recordRequest = <A extends RequestAction>(
  db: SchoolDb,
  me: UserSession,
  now: Date,
  request: StoredRequest,
  action: A,
  details: AuditDetails<A> = {},
): Promise<void> => {
  const { kind, id } = subjectOf(request);
  return recordChange(db, me, now, {
    action,
    subjectKind: kind === 'pupil' ? 'pupil' : 'user',
    subjectId: id,
    details: { request: request.id, kind: request.kind, ...details },
  });
};

/** The words of a name for comparing, without initials. */
const wordsOf = (name: string): string[] =>
  nameKey(name)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1);

/**
 * The words of a text that are names of other people: with a capital letter, and not part of the name of the pupil whom
 * the text is about.
 */
export function findNames(text: string, pupilName: string, otherNames: ReadonlySet<string>): string[] {
  const wordsOfPupil = new Set(wordsOf(pupilName));
  const words = text.match(/\p{Lu}[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return [
    ...new Set(
      words.filter((word) => {
        const key = nameKey(word);
        return otherNames.has(key) && !wordsOfPupil.has(key);
      }),
    ),
  ];
}

/** A page of the texts about the pupil of a request, which the pupil's page then lists under Who looked; empty for staff. Throws `not_found`. */
export async function describeTexts(
  db: SchoolDb,
  requestId: number,
  page: Page,
): Promise<{ pupilId: number | null; texts: SubjectText[]; total: number }> {
  const pupilId = pupilToReview(await getRequest(db, requestId));
  if (pupilId === null) return { pupilId, texts: [], total: 0 };
  const rows = await listTexts(db, pupilId, requestId, page);
  const { total } = await countTexts(db, pupilId, requestId);
  const [pupil] = await findPupils(db, [pupilId]);
  const otherNames = new Set((await listOtherNames(db, pupilId)).flatMap(wordsOf));
  const users = await namePeople(
    db,
    rows.map(({ written_by: author }) => author),
  );
  const texts = rows.map(
    ({ source, id, text, written_by: author, written_at: at, is_included: isIncluded, blacked_out: positions }) => ({
      kind: source,
      id,
      title: titleOf(source),
      text,
      written_by: author === null ? null : (users.get(author) ?? null),
      written_at: at?.toISOString() ?? null,
      decision: isIncluded === null ? null : isIncluded ? ('include' as const) : ('leave_out' as const),
      blacked_out: toPassages(positions ?? []),
      names: findNames(text, pupil?.name ?? '', otherNames),
    }),
  );
  return { pupilId, texts, total };
}

/**
 * Stores whether a text is included, and what is blacked out. Throws `not_found`, `subject_request_closed`,
 * `note_not_found`, or `validation` for passages that are not of the text.
 */
export async function decideText(
  db: SchoolDb,
  me: UserSession,
  requestId: number,
  { kind, id, decision, blacked_out }: BodyOf<typeof subjectRequestCalls.decideSubjectText>,
  now: Date,
): Promise<void> {
  const pupilId = pupilToReview(await lockOpenRequest(db, requestId));
  const text = pupilId === null ? undefined : await findText(db, pupilId, kind, id);
  if (text === undefined) throw new AppError('note_not_found');
  const isIncluded = decision === 'include';
  const passages = isIncluded ? blacked_out : [];
  if (!arePassagesOf(text, passages ?? []) || (!isIncluded && blacked_out?.length))
    throw fieldError('blacked_out', 'Choose words of the text to black out.');
  await saveDecision(db, requestId, { source: kind, id, isIncluded, passages }, me.userId, now);
}

/**
 * Has a job make the file, in place of an earlier one. Throws `not_found`, `subject_request_closed`,
 * `subject_request_without_file`, `subject_identity_unconfirmed` or `subject_texts_undecided`.
 */
export async function requestFile(db: SchoolDb, me: UserSession, requestId: number, now: Date): Promise<void> {
  const request = await lockOpenRequest(db, requestId);
  if (!RIGHTS[request.kind].hasFile) throw new AppError('subject_request_without_file');
  if (request.identity_check === null) throw new AppError('subject_identity_unconfirmed');
  if (request.pupil_id !== null && (await countTexts(db, request.pupil_id, requestId)).undecided > 0)
    throw new AppError('subject_texts_undecided');
  await updateRequest(db, requestId, {
    file_state: 'making',
    file_version: null,
    file_size: null,
    file_made_at: null,
    file_expires_at: null,
  });
  await deleteParts(db, requestId);
  await recordRequest(db, me, now, request, 'subject_file_requested');
  const job: SubjectFileJob = { schoolId: db.schoolId, requestId };
  await enqueue(db, SUBJECT_FILE_JOB, job);
}

/** Records a download of the file, which is sent afterwards. Throws `not_found` or `subject_file_missing`. */
export async function recordDownload(
  db: SchoolDb,
  me: UserSession,
  requestId: number,
  now: Date,
): Promise<{ version: string; pupilId: number | null }> {
  const request = await getRequest(db, requestId, { locks: true });
  const { file_version: version } = request;
  const isConfirmed = request.identity_check !== null;
  if (request.closed_at || !isFileReady(request, now) || !isConfirmed || version === null)
    throw new AppError('subject_file_missing');
  await insertDownload(db, requestId, me.userId, now);
  await recordRequest(db, me, now, request, 'subject_file_downloaded');
  return { version, pupilId: request.pupil_id };
}

/**
 * Closes a request and deletes its file. Throws `not_found`, `subject_request_closed`, or `subject_file_not_downloaded`
 * for a file that was released without a download.
 */
export async function closeRequest(
  db: SchoolDb,
  me: UserSession,
  requestId: number,
  { outcome, note }: { outcome: 'released' | 'not_released'; note: string },
  now: Date,
): Promise<void> {
  const request = await lockOpenRequest(db, requestId);
  if (outcome === 'released' && RIGHTS[request.kind].hasFile && (await listDownloads(db, requestId, 1)).length === 0)
    throw new AppError('subject_file_not_downloaded');
  await updateRequest(db, requestId, {
    closed_at: now,
    closed_by: me.userId,
    outcome,
    outcome_note: note,
    file_state: 'none',
    file_version: null,
  });
  await deleteParts(db, requestId);
  await recordRequest(db, me, now, request, 'subject_request_closed', { outcome });
}
