import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { EXAMPLE, exampleParams } from '../examples.ts';
import { id, idInPath, ids, pagedMeta, paging, text, timestamp } from '../fields.ts';
import { markChildData } from '../record-views.ts';
import { REQUEST_KINDS, REQUEST_STEPS, type RequestStep, SCHOOL_TYPES } from '../rights.ts';

const whole = z.number().int();
const day = z.iso.date();

/** How long the file of a subject access request can be downloaded. */
export const SUBJECT_FILE_DAYS = 7;

const TEXT_TOO_LONG = 'This has at most 500 characters.';
/** The longest description of a request. */
const MAX_DETAILS = 2000;
const line = (missing: string, most: number, tooLong: string) =>
  text(missing, tooLong, most)
    .refine((value) => !value.includes('\0'), 'This has a character that cannot be stored.')
    .trim()
    .min(1, missing);

const subjectKind = z.enum(['pupil', 'staff']);

/** How the person who asks is related to the person whose data it is. */
export const REQUESTER_RELATIONS = ['parent', 'subject', 'other'] as const;

/** Whether a pupil is mature enough to decide about a request. Null for staff. */
const maturity = z.enum(['pupil_decides', 'adult_decides']);

/** How a request was closed: `released`, what was asked for was done; `not_released`, it was not; or the person was erased. */
const outcome = z.enum(['released', 'not_released', 'erased']);

/**
 * `none`: not made yet. `making`: a job makes it. `failed`: it has to be made again. `ready`: until `file_expires_at`.
 * `expired`: deleted after its time.
 */
const fileState = z.enum(['none', 'making', 'failed', 'ready', 'expired']);

const requestKind = z.enum(REQUEST_KINDS, 'Choose what the person asks for.');
const requestStep = z.enum(REQUEST_STEPS, 'Choose what happened.');

/** `waiting_for_identity`: not started. `paused`: until the requester says which information is meant. `no_fixed_day`: an acknowledged complaint. */
const clockState = z.enum(['running', 'waiting_for_identity', 'paused', 'no_fixed_day']);

const subjectRequest = z
  .strictObject({
    id,
    kind: requestKind,
    subject: z.strictObject({
      kind: subjectKind,
      id,
      /** Null once the person is erased, or is not of this school any more. */
      name: z.string().nullable(),
      /** In the archive, or removed from the staff. */
      is_former: z.boolean(),
    }),
    /** Null once the person is erased. */
    requester_name: z.string().nullable(),
    requester_relation: z.enum(REQUESTER_RELATIONS),
    received_on: day,
    clock: clockState,
    /** Null while it waits for proof of identity. */
    starts_on: day.nullable(),
    /** The last day to answer, or to acknowledge a complaint. Null while the clock does not run. */
    due_on: day.nullable(),
    is_extended: z.boolean(),
    is_overdue: z.boolean(),
    /** The day on which the person was last informed: of the receipt of a complaint, or of its progress. */
    last_told_on: day.nullable(),
    /** Null while the request is open. */
    closed_at: timestamp.nullable(),
    outcome: outcome.nullable(),
  })
  .meta({ id: 'SubjectRequest' });
export type SubjectRequest = z.infer<typeof subjectRequest>;

const subjectRequestDetails = subjectRequest
  .extend({
    /** What should be corrected, erased or stopped, or what the complaint is about. Null once the person is erased. */
    details: z.string().nullable(),
    /** How the identity of the requester was checked. Null until then, and once the person is erased. */
    identity_check: z.string().nullable(),
    /** In the order in which they happened. */
    steps: z.array(
      z
        .strictObject({
          id,
          step: requestStep,
          on: day,
          /** Null without a text, and once the person is erased. */
          note: z.string().nullable(),
          recorded_by: z.string().nullable(),
        })
        .meta({ id: 'SubjectRequestStep' }),
    ),
    /** The steps that can be recorded next; none once it is closed. */
    next_steps: z.array(requestStep),
    /** The last day to tell the requester of an extension. Null where none is possible, or while the clock does not run. */
    extend_by: day.nullable(),
    /** The due day depends on the usual term dates of a year for which the school has not entered its own. */
    uses_usual_terms: z.boolean(),
    maturity: maturity.nullable(),
    opened_by: z.string().nullable(),
    opened_at: timestamp,
    /** Free texts about the pupil, how many an admin has not decided about, and in how many words are blacked out. */
    texts: z.strictObject({ total: whole, undecided: whole, blacked_out: whole }),
    file: z.strictObject({
      state: fileState,
      /** Bytes. */
      size: whole.nullable(),
      made_at: timestamp.nullable(),
      expires_at: timestamp.nullable(),
    }),
    /** Who downloaded the file, the latest first; recorded before it was sent. */
    downloads: z.array(z.strictObject({ by: z.string().nullable(), at: timestamp })),
    closed_by: z.string().nullable(),
    /** How the file was handed over, or why it was not. */
    outcome_note: z.string().nullable(),
  })
  .meta({ id: 'SubjectRequestDetails' });
export type SubjectRequestDetails = z.infer<typeof subjectRequestDetails>;

const decision = z.enum(['include', 'leave_out']);

/** A passage of a text that is blacked out: from a position to before another, in UTF-16 code units. */
const passage = z.strictObject({ from: whole.min(0), to: whole.min(1) }).meta({ id: 'BlackedOutPassage' });
export type Passage = z.infer<typeof passage>;

/** Passages that can be blacked out of one text: every word of the longest. */
export const MAX_PASSAGES = 1000;

/** Replaces a blacked-out passage in the file. In words, so that it can be heard and printed. */
export const BLACKED_OUT = '[blacked out]';

/** A free text that staff wrote about the pupil: a note, a remark or the name of a tag. */
const subjectText = markChildData(
  z
    .strictObject({
      /** The kind of data it is a part of, to send to `decideSubjectText`. */
      kind: z.string(),
      id,
      /** "Notes on pupils". */
      title: z.string(),
      text: z.string(),
      written_by: z.string().nullable(),
      /** Null, with the author, for the name of a tag. */
      written_at: timestamp.nullable(),
      decision: decision.nullable(),
      /** Passages that are blacked out in the file; empty unless the text is included. */
      blacked_out: z.array(passage),
      /** Words of the text that are names of other pupils of the school, or of people who asked for a copy about this pupil. */
      names: z.array(z.string()),
    })
    .meta({ id: 'SubjectText' }),
  { fields: ['text'] },
);
export type SubjectText = z.infer<typeof subjectText>;

const path = '/enterprises/{id}/subject-requests' as const;
const onePath = `${path}/{requestId}` as const;
const tag = 'Data and privacy';
const officers = { tag, permission: 'manage_requests', ownerOnly: true, area: 'records', whileClosed: true } as const;
const requestParams = ids('id', 'requestId');

/** The body of `openSubjectRequest`. */
export const subjectRequestBody = z.object({
  /** A page that was loaded before there were other kinds sends none. */
  kind: requestKind.default('access'),
  subject: z.object({ kind: subjectKind, id }),
  requester_name: line('Enter the name of the person who asks.', 200, 'A name has at most 200 characters.'),
  requester_relation: z.enum(REQUESTER_RELATIONS, 'Choose who asks.'),
  /** What should be corrected, erased or stopped, or what the complaint is about. Required for these kinds. */
  details: line('Say what the person asks for.', MAX_DETAILS, `This has at most ${MAX_DETAILS} characters.`).nullish(),
  /** Null if it was not checked yet. Not for a complaint. */
  identity_check: line('Say how you checked who asks.', 500, TEXT_TOO_LONG).nullish(),
  /** Required where a pupil who understands the request decides about it. */
  maturity: maturity.nullish(),
  /** Required for the educational record. */
  school_type: z.enum(SCHOOL_TYPES, 'Choose what kind of school you are.').nullish(),
  /** Not in the future, and at most a year ago. */
  received_on: z.iso.date('Enter the day on which the request arrived.'),
});

/** The steps that need a text: how identity was checked, what was requested or the person informed of, and the reason of an extension. */
export const NOTED_STEPS: readonly RequestStep[] = [
  'identity_confirmed',
  'clarification_asked',
  'extended',
  'progress_told',
];
export const NOTE_MISSING = 'Enter what was checked, asked or told.';

/** The body of `recordSubjectStep`. */
export const subjectStepBody = z.object({
  step: requestStep,
  /** Not in the future, and not before the receipt or the last step. */
  on: z.iso.date('Enter the day on which it happened.'),
  /** For the steps in `NOTED_STEPS`, where it is required. */
  note: line(NOTE_MISSING, 500, TEXT_TOO_LONG).nullish(),
});

/** The body of `closeSubjectRequest`. */
export const closeSubjectRequestBody = z.object({
  outcome: z.enum(['released', 'not_released'], 'Choose how it ended.'),
  note: line('Say how it ended.', 500, TEXT_TOO_LONG),
});

/** Someone about whom a request can be. */
const dataSubject = z
  .strictObject({
    kind: subjectKind,
    id,
    name: z.string(),
    /** In the archive, or removed from the staff. */
    is_former: z.boolean(),
    /** A pupil's current class. */
    group: z.string().nullable(),
  })
  .meta({ id: 'DataSubject' });
export type DataSubject = z.infer<typeof dataSubject>;

/** The most people that `listDataSubjects` returns. */
export const MAX_DATA_SUBJECTS = 20;

export const subjectRequestCalls = defineCalls({
  listDataSubjects: {
    ...officers,
    method: 'GET',
    path: '/enterprises/{id}/data-subjects',
    summary: 'Pupils and staff, current and former, by name',
    description: `At most ${MAX_DATA_SUBJECTS}, by name. \`pupil\` or \`staff\` returns one person.`,
    params: ids('id'),
    query: z.object({
      search: text('Enter a name.', 'A name has at most 100 characters.', 100).optional(),
      pupil: idInPath.optional(),
      staff: idInPath.optional(),
    }),
    reply: z.strictObject({ people: z.array(dataSubject) }),
  },

  listSubjectRequests: {
    ...officers,
    method: 'GET',
    path,
    summary: 'Requests and complaints about data: open ones by due date, then closed ones',
    params: ids('id'),
    query: z.object({ ...paging, kind: requestKind.optional() }),
    reply: z.strictObject({ requests: z.array(subjectRequest), meta: pagedMeta }),
  },

  openSubjectRequest: {
    ...officers,
    method: 'POST',
    path,
    summary: 'Record a request or complaint about the data of a pupil or a member of staff',
    description:
      'Current or former. Each requester can have one open request of a kind about a person. `contract/src/rights.ts` lists the time to answer for each kind.',
    example: {
      body: {
        kind: 'access',
        subject: { kind: 'pupil', id: EXAMPLE.pupil },
        requester_name: 'Gwen Marsh',
        requester_relation: 'parent',
        identity_check: 'Known to the office; showed a passport.',
        maturity: 'adult_decides',
        received_on: '2026-11-18',
      },
    },
    params: ids('id'),
    body: subjectRequestBody,
    reply: z.strictObject({ request: subjectRequest }),
    errors: ['pupil_not_found', 'teacher_not_found', 'subject_request_open'],
  },

  getSubjectRequest: {
    ...officers,
    method: 'GET',
    path: onePath,
    summary: 'A request with its clock, steps, file and downloads',
    params: requestParams,
    reply: z.strictObject({ request: subjectRequestDetails }),
  },

  recordSubjectStep: {
    ...officers,
    method: 'POST',
    path: `${onePath}/steps`,
    summary: 'Record a step of a request, such as proof of identity or an extension',
    description:
      'Steps are recorded in the order in which they happened. The person must be informed of an extension, and of a question that stops the clock, before the time has run out.',
    example: { body: { step: 'extended', on: '2026-11-18', note: 'The school moved and the records are in boxes.' } },
    params: requestParams,
    body: subjectStepBody,
    errors: ['subject_request_closed', 'subject_step_unavailable'],
  },

  undoSubjectStep: {
    ...officers,
    method: 'DELETE',
    path: `${onePath}/steps/{stepId}`,
    summary: 'Remove the last step of a request, which was recorded by mistake',
    params: ids('id', 'requestId', 'stepId'),
    errors: ['subject_request_closed', 'subject_step_unavailable'],
  },

  listSubjectTexts: {
    ...officers,
    method: 'GET',
    path: `${onePath}/texts`,
    summary: 'Texts that staff wrote about the pupil, to decide about',
    description:
      'Names of other pupils of the school, and of people who asked for a copy about the pupil, are listed with each text.',
    views: { what: 'notes', screen: 'subject_access' },
    params: requestParams,
    query: z.object(paging),
    reply: z.strictObject({ texts: z.array(subjectText), meta: pagedMeta }),
  },

  decideSubjectText: {
    ...officers,
    method: 'POST',
    path: `${onePath}/texts`,
    summary: 'Include a text in the file, with words blacked out if needed, or leave it out',
    description: `In the file “${BLACKED_OUT}” replaces each passage. The text itself does not change.`,
    example: { body: { kind: 'pupil_notes', id: exampleParams.noteId, decision: 'include' } },
    params: requestParams,
    body: z.object({
      kind: text('Choose a text.', 'A name has at most 100 characters.', 100),
      id,
      decision: z.enum(decision.options, 'Choose whether to include it.'),
      /** In order, without overlaps. Only for a text that is included. Unchanged without it. */
      blacked_out: z.array(passage).max(MAX_PASSAGES, `Black out at most ${MAX_PASSAGES} passages.`).optional(),
    }),
    errors: ['note_not_found', 'subject_request_closed'],
  },

  makeSubjectFile: {
    ...officers,
    method: 'POST',
    path: `${onePath}/file`,
    summary: 'Make the file: a job packs everything about the person',
    description: `Replaces an earlier file. It can be downloaded for ${SUBJECT_FILE_DAYS} days.`,
    needsProof: true,
    params: requestParams,
    errors: [
      'subject_request_closed',
      'subject_request_without_file',
      'subject_identity_unconfirmed',
      'subject_texts_undecided',
    ],
  },

  downloadSubjectFile: {
    ...officers,
    method: 'GET',
    path: `${onePath}/file`,
    summary: 'Download the file',
    description: 'The download is recorded before the file is sent.',
    needsProof: true,
    views: { what: 'page', screen: 'subject_access' },
    params: requestParams,
    files: ['application/zip'],
    errors: ['subject_file_missing'],
  },

  closeSubjectRequest: {
    ...officers,
    method: 'POST',
    path: `${onePath}/close`,
    summary: 'Close a request and delete its file',
    description:
      'As released once the file was downloaded, where there is one, or what was asked for was done; or without, for a reason.',
    example: { body: { outcome: 'not_released', note: 'The parent withdrew the request.' } },
    params: requestParams,
    body: closeSubjectRequestBody,
    errors: ['subject_request_closed', 'subject_file_not_downloaded'],
  },
});
