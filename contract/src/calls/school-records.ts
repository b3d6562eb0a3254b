import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { EXAMPLE } from '../examples.ts';
import { id, ids, text, timestamp } from '../fields.ts';
import {
  chosenSchool,
  connectionSettings,
  connectionTest,
  schoolOption,
  schoolRecordsConnection,
  schoolRecordsConnectionBody,
  sourceId,
} from '../school-records-connection.ts';
import { IMPORT_ROWS, loginLinks } from './pupil-import.ts';
import { run } from './runs.ts';

/** The maximum size of a file from the school's management information system. */
export const MAX_SCHOOL_RECORDS_BYTES = 50 * 1024 * 1024;

/** Where the records come from. */
export const SCHOOL_RECORDS_KINDS = ['oneroster', 'ctf'] as const;

/** The formats of files. An Admissions Transfer File is of the same source as Common Transfer Files. */
export const SCHOOL_RECORDS_FILE_KINDS = [...SCHOOL_RECORDS_KINDS, 'atf'] as const;

/** A pupil in the plan. `pupil` is null for one who is not in the school; `class` as the source states it. */
const schoolRecordsRow = z
  .strictObject({ source_id: z.string(), pupil: id.nullable(), name: z.string(), class: z.string().nullable() })
  .meta({ id: 'SchoolRecordsRow' });
export type SchoolRecordsRow = z.infer<typeof schoolRecordsRow>;

/** What a file would change. Nothing has been applied yet. */
const schoolRecordsPlan = z
  .strictObject({
    /** Classes to create (`from` is null) or rename. */
    classes: z.array(z.strictObject({ name: z.string(), from: z.string().nullable() })),
    joiners: z.array(schoolRecordsRow),
    /** Pupils whom an earlier run archived, and who are in the file again. */
    returners: z.array(schoolRecordsRow),
    movers: z.array(schoolRecordsRow.extend({ from: z.string().nullable() })),
    /** Changes of names. */
    names: z.array(schoolRecordsRow.extend({ from: z.string() })),
    /** Pupils who may have left: nothing happens to them without approval. `is_expected`: of Year 6, from June to September. */
    leavers: z.array(schoolRecordsRow.extend({ is_expected: z.boolean() })),
    /** What was changed in the portal, which stays, and what the file states. */
    differences: z.array(
      z.strictObject({
        pupil: id.nullable(),
        name: z.string(),
        /** `archived`: deleted in the portal. */
        field: z.enum(['name', 'class', 'class_name', 'archived']),
        here: z.string().nullable(),
        there: z.string().nullable(),
      }),
    ),
    /**
     * New IDs of pupils who are in the school: by a name that the school and the records have once, or by the UPN. `class`:
     * their class here. A merge with null makes one a joiner.
     */
    recognised: z.array(schoolRecordsRow),
    /** New IDs of pupils who may be in the school already. Nothing happens to them without an answer. */
    questions: z.array(
      schoolRecordsRow.extend({
        candidates: z.array(
          z.strictObject({ id, name: z.string(), class: z.string().nullable(), is_archived: z.boolean() }),
        ),
      }),
    ),
    /** Pupils with several classes. Without a choice they stay as they are. */
    choices: z.array(
      schoolRecordsRow.extend({ classes: z.array(z.strictObject({ source_id: z.string(), name: z.string() })) }),
    ),
    /** Pupils whom another source added. This one does not change them. */
    elsewhere: z.array(schoolRecordsRow),
    /** Names of pupils and classes that the portal does not accept. */
    rejected: z.array(z.strictObject({ name: z.string(), reason: z.string() })),
    /** Staff who can be invited. */
    staff: z.array(z.strictObject({ name: z.string(), email: z.string() })),
    /** Staff whom an applied run named and this one does not, without the caller. Nothing happens to them without an answer. */
    missing_staff: z.array(z.strictObject({ user: id, name: z.string() })),
    /** Why the plan is applied only after a second confirmation; null if it is not on hold. `total`: the pupils whom this source added. */
    on_hold: z
      .strictObject({ reason: z.enum(['leaving', 'changed']), pupils: z.number().int(), total: z.number().int() })
      .nullable(),
  })
  .meta({ id: 'SchoolRecordsPlan' });
export type SchoolRecordsPlan = z.infer<typeof schoolRecordsPlan>;

const schoolRecordsSource = z
  .strictObject({
    id,
    kind: z.enum(SCHOOL_RECORDS_KINDS),
    created_at: timestamp,
    /** The school that was chosen last from a file with pupils of several; null without a choice. */
    school: chosenSchool.nullable(),
    /** The pupils and classes that it keeps up to date. */
    pupils: z.number().int(),
    classes: z.number().int(),
  })
  .meta({ id: 'SchoolRecordsSource' });
export type SchoolRecordsSource = z.infer<typeof schoolRecordsSource>;

const tooMany = `Send answers for at most ${IMPORT_ROWS.toLocaleString('en-GB')} pupils at once.`;
const runIds = ids('id', 'runId');

const staffIds = z.array(id).max(200, 'Send answers for at most 200 members of staff at once.').default([]);

const answers = z.object({
  /** The `version` of the plan that the admin saw. */
  version: text('Send the version of the plan.').max(64, 'This is not a version of the plan.'),
  /** The pupils of `leavers` to archive. */
  leavers: z.array(id).max(IMPORT_ROWS, tooMany).default([]),
  /** Answers to `questions` and `recognised`: the same child as this pupil, or a new one (null). */
  merges: z
    .array(z.object({ source_id: sourceId, pupil: id.nullable() }))
    .max(IMPORT_ROWS, tooMany)
    .default([]),
  /** The source IDs of `joiners` who are not added. The next file has them again. */
  left_out: z.array(sourceId).max(IMPORT_ROWS, tooMany).default([]),
  /** Answers to `choices`. */
  classes: z
    .array(z.object({ source_id: sourceId, class: sourceId }))
    .max(IMPORT_ROWS, tooMany)
    .default([]),
  /** The email addresses of `staff` to invite as teachers. */
  invites: z.array(text('An email address is text.')).max(200, 'Invite at most 200 people at once.').default([]),
  /** The users of `missing_staff` to remove from the school. */
  removed_staff: staffIds,
  /** The users of `missing_staff` who stay: they are not asked about again until the records have named them again. */
  kept_staff: staffIds,
  /** Must be true when the plan is `on_hold`. */
  is_confirmed: z.boolean().default(false),
});
export type SchoolRecordsAnswers = z.infer<typeof answers>;

const connectionPath = '/enterprises/{id}/school-records/connection';
/** Each reads the whole server of the school. */
const reads = [{ by: 'user', tries: 30, seconds: 3600, countsSuccesses: true }] as const;

export const schoolRecordsCalls = defineCalls({
  getSchoolRecords: {
    method: 'GET',
    path: '/enterprises/{id}/school-records',
    tag: 'School records',
    summary: 'The sources of school records, and the connection',
    permission: 'delete_pupil',
    params: ids('id'),
    reply: z.strictObject({
      connection: schoolRecordsConnection.nullable(),
      sources: z.array(schoolRecordsSource),
    }),
  },

  planSchoolRecords: {
    method: 'POST',
    path: '/enterprises/{id}/school-records',
    tag: 'School records',
    summary: 'Read a file of the school’s management information system, and plan changes',
    description:
      'Takes a OneRoster 1.1 or 1.2 CSV bundle (ZIP), a Common Transfer File or an Admissions Transfer File (XML, also in a ZIP) as `records_file`. The file is read and dropped; nothing changes before the plan is applied. A file in which pupils may be missing, or without pupils, is rejected whole; any other record that cannot be read is left out and named in the `notes` of the run. A file with pupils of several schools is planned when the school is chosen: until then `run_id` is null, and `schools` lists them. It replaces a planned run of the same source.',
    permission: 'delete_pupil',
    example: { body: { xml: EXAMPLE.transferFile } },
    params: ids('id'),
    body: z.object({
      /** A small Common Transfer File, instead of `records_file`. */
      xml: text('The XML must be a string.', 'This is too much. Upload it as a file.', 500_000).optional(),
      /** The `source_id` of one of `schools`. Without it the last choice applies; an empty text asks again. */
      school: sourceId.optional(),
    }),
    upload: { field: 'records_file', maxBytes: MAX_SCHOOL_RECORDS_BYTES },
    reply: z.strictObject({ run_id: id.nullable(), schools: z.array(schoolOption) }),
    errors: ['school_records_unreadable', 'file_too_complex'],
  },

  getSchoolRecordsRun: {
    method: 'GET',
    path: '/enterprises/{id}/school-records/{runId}',
    tag: 'School records',
    summary: 'A run and what it would change',
    description: 'The plan is made from the school as it is now, so that a later change in the portal is in it.',
    permission: 'delete_pupil',
    params: runIds,
    reply: z.strictObject({
      run,
      /** Null unless the run is `planned`. */
      plan: schoolRecordsPlan.nullable(),
      version: z.string().nullable(),
      /** What the file contains that could not be used. */
      notes: z.array(z.string()),
    }),
  },

  applySchoolRecordsRun: {
    method: 'POST',
    path: '/enterprises/{id}/school-records/{runId}/apply',
    tag: 'School records',
    summary: 'Apply a plan, in full or not at all',
    description:
      'Archives only the leavers named, and removes only the staff named, which is not undone. 409 if the school has changed since the plan was shown, or if a plan that is `on_hold` is not confirmed; 402 if the new pupils do not fit into the subscription.',
    permission: 'delete_pupil',
    example: { body: { version: EXAMPLE.schoolRecordsVersion } },
    params: runIds,
    body: answers,
    reply: z.strictObject({ run, links: loginLinks.nullable(), failed_invites: z.array(z.string()) }),
    errors: [
      'school_records_outdated',
      'school_records_on_hold',
      'max_readers_reached',
      'pupil_not_found',
      'teacher_not_found',
      'not_yourself',
      'not_while_impersonating',
    ],
  },

  discardSchoolRecordsRun: {
    method: 'POST',
    path: '/enterprises/{id}/school-records/{runId}/discard',
    tag: 'School records',
    summary: 'Discard a plan',
    permission: 'delete_pupil',
    params: runIds,
  },

  removeSchoolRecordsSource: {
    method: 'DELETE',
    path: '/enterprises/{id}/school-records/sources/{sourceId}',
    tag: 'School records',
    summary: 'Forget a source. Pupils and classes stay.',
    permission: 'delete_pupil',
    params: ids('id', 'sourceId'),
  },

  saveSchoolRecordsConnection: {
    method: 'POST',
    path: connectionPath,
    tag: 'School records',
    summary: 'Save the address of the school’s OneRoster server, and the credentials for it',
    description:
      'A school has one connection. An address with `/v1p1` is read as OneRoster 1.1, every other as 1.2. The secret is stored encrypted and never returned, so it is needed with each change of the address.',
    permission: 'delete_pupil',
    ownerOnly: true,
    needsProof: true,
    example: { body: EXAMPLE.schoolRecordsServer },
    params: ids('id'),
    body: schoolRecordsConnectionBody,
    reply: z.strictObject({ connection: schoolRecordsConnection }),
  },

  setSchoolRecordsConnection: {
    method: 'POST',
    path: `${connectionPath}/settings`,
    tag: 'School records',
    summary: 'Choose the school, classes and year groups, what is applied by itself, and whether checks are paused',
    description: 'What is absent stays as it is.',
    permission: 'delete_pupil',
    example: { body: { is_paused: true } },
    params: ids('id'),
    body: connectionSettings,
    reply: z.strictObject({ connection: schoolRecordsConnection }),
  },

  testSchoolRecordsConnection: {
    method: 'POST',
    path: `${connectionPath}/test`,
    tag: 'School records',
    summary: 'Read everything from the school’s server, and return what there is. Nothing changes.',
    permission: 'delete_pupil',
    params: ids('id'),
    reply: connectionTest,
    errors: ['school_records_unreadable', 'school_records_checking'],
    rateLimits: reads,
  },

  checkSchoolRecordsConnection: {
    method: 'POST',
    path: `${connectionPath}/check`,
    tag: 'School records',
    summary: 'Read the school’s server now, and plan changes',
    description: '`run_id` is null when nothing differs.',
    permission: 'delete_pupil',
    params: ids('id'),
    reply: z.strictObject({ run_id: id.nullable(), connection: schoolRecordsConnection }),
    errors: ['school_records_unreadable', 'school_records_checking'],
    rateLimits: reads,
  },

  removeSchoolRecordsConnection: {
    method: 'DELETE',
    path: connectionPath,
    tag: 'School records',
    summary: 'Forget the address and the credentials. Pupils and classes stay.',
    permission: 'delete_pupil',
    ownerOnly: true,
    needsProof: true,
    params: ids('id'),
  },
});
