import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { EXAMPLE } from '../examples.ts';
import { documentedAs, id, ids, readingLevel, requiredLine, text, timestamp } from '../fields.ts';
import {
  DAYS_TO_CONFIRM_PROGRAM,
  MAX_PROGRAM_CLASSES,
  MAX_PROGRAM_DAYS,
  MAX_PROGRAMS,
  PROGRAM_ENDS,
  PROGRAM_RATE,
  PROGRAM_SCOPES,
} from '../programs.ts';
import { markChildData } from '../record-views.ts';
import { BATCH_SIZE, intake } from './reading-app.ts';
import { classSchema } from './school.ts';

const person = z.strictObject({ id, name: z.string() });
const scope = z.enum(PROGRAM_SCOPES, `A scope is one of ${PROGRAM_SCOPES.join(', ')}.`).meta({ id: 'ProgramScope' });
const classesOf = z.array(z.strictObject({ id, name: z.string() })).nullable();

/** A program that works with the school's data, by a token. The token itself is in the reply to `makeProgram` alone. */
const program = z
  .strictObject({
    id,
    name: z.string(),
    scopes: z.array(scope),
    /** The classes to which it is limited; null for the whole school. */
    groups: classesOf,
    made_at: timestamp,
    /** Null once they have been erased, also below. */
    made_by: person.nullable(),
    /** The admin who answers for it. */
    responsible: person.nullable(),
    /** Set after that person stopped being an admin: it ends then, unless another admin confirms it. */
    confirm_by: timestamp.nullable(),
    expires_at: timestamp,
    last_used_at: timestamp.nullable(),
    /** When it was last used from another network than the time before. */
    other_network_at: timestamp.nullable(),
    ended_at: timestamp.nullable(),
    ended_because: z.enum(PROGRAM_ENDS).nullable(),
  })
  .meta({ id: 'Program' });
export type Program = z.infer<typeof program>;

const settings = z.object({
  name: requiredLine('name of the program', 60),
  scopes: z
    .array(scope, 'Choose what the program can do.')
    .min(1, 'Choose what the program can do.')
    .max(PROGRAM_SCOPES.length, 'Name each scope once.')
    .refine((scopes) => new Set(scopes).size === scopes.length, 'Name each scope once.'),
  /** Limits it to these classes; null for the whole school. */
  group_ids: z
    .array(id, 'Choose the classes.')
    .min(1, 'Choose a class, or the whole school.')
    .max(MAX_PROGRAM_CLASSES, `Choose at most ${MAX_PROGRAM_CLASSES} classes.`)
    .nullable(),
});
export const programBody = settings.extend({
  /** How many days its token works. */
  days: z
    .number('Choose how long the token works.')
    .int('Send a whole number of days.')
    .min(1, 'A token works for at least a day.')
    .max(MAX_PROGRAM_DAYS, `A token works for at most ${MAX_PROGRAM_DAYS} days.`),
});
export const programChangeBody = settings;

/** A reading session, as a program receives it. */
const receivedSession = markChildData(
  z
    .strictObject({
      /** Chosen by the reading app. */
      id: z.uuid(),
      reader_id: id,
      book_id: id,
      reading_level: readingLevel,
      started_at: timestamp,
      /** The day on which it began, in the school’s time zone. */
      day: z.iso.date(),
      /** When the portal received it: the order of the pages. */
      received_at: timestamp,
      /** Active seconds. */
      reading_time: z.number().int(),
      last_page: z.number().int(),
      words_attempted: z.number().int(),
      words_correct: z.number().int(),
      has_completed_book: z.boolean(),
      /** Whether it counts as reading, and so in `days`: at least 30 seconds, and a word attempted. */
      is_reading: z.boolean(),
    })
    .meta({ id: 'ReceivedSession' }),
  { pupil: 'reader_id', fields: ['reading_time'] },
);
export type ReceivedSession = z.infer<typeof receivedSession>;

/** A pupil’s totals of a day and level: they replace those that a program received before. */
const receivedDay = markChildData(
  z
    .strictObject({
      reader_id: id,
      day: z.iso.date(),
      reading_level: readingLevel,
      /** Active seconds. */
      reading_time: z.number().int(),
      words_attempted: z.number().int(),
      words_correct: z.number().int(),
    })
    .meta({ id: 'ReceivedDay' }),
  { pupil: 'reader_id', fields: ['reading_time'] },
);
/** How many sessions a page looks at. */
export const MAX_READING_PAGE = 1000;
const DEFAULT_READING_PAGE = 500;
const WRONG_LIMIT = `The limit is a number from 1 to ${MAX_READING_PAGE}.`;

const shared = { tag: 'Programs', permission: 'edit_school', area: 'records' } as const;

export const programCalls = defineCalls({
  listPrograms: {
    ...shared,
    method: 'GET',
    path: '/enterprises/{id}/programs',
    summary: 'The programs of the school, those that have ended in the last 30 days included',
    params: ids('id'),
    reply: z.strictObject({ programs: z.array(program) }),
  },

  makeProgram: {
    ...shared,
    method: 'POST',
    path: '/enterprises/{id}/programs',
    summary: 'Make a token for a program',
    description: `The reply shows the token once; only a hash of it is stored. At most ${MAX_PROGRAMS} programs, each for at most ${MAX_PROGRAM_DAYS} days. The caller has a second factor and answers for the program: ${DAYS_TO_CONFIRM_PROGRAM} days after they stop being an admin it ends, unless another admin confirms it.`,
    ownerOnly: true,
    needsProof: true,
    params: ids('id'),
    example: { body: { name: 'Data warehouse', scopes: ['read_pupils', 'read_reading'], group_ids: null, days: 90 } },
    body: programBody,
    reply: z.strictObject({ program, token: z.string() }),
    errors: ['programs_full', 'program_needs_factor', 'class_not_found'],
    rateLimits: [{ by: 'user', tries: 60, seconds: 3600, countsSuccesses: true }],
  },

  changeProgram: {
    ...shared,
    method: 'POST',
    path: '/enterprises/{id}/programs/{programId}',
    summary: 'Change the name of a program, what it can do and in which classes',
    description: 'From the next call on, in the middle of pages too.',
    ownerOnly: true,
    needsProof: true,
    params: ids('id', 'programId'),
    example: { body: { name: 'Data warehouse', scopes: ['read_reading'], group_ids: null } },
    body: programChangeBody,
    reply: z.strictObject({ program }),
    errors: ['program_not_found', 'program_needs_factor', 'class_not_found'],
    rateLimits: [{ by: 'user', tries: 60, seconds: 3600, countsSuccesses: true }],
  },

  confirmProgram: {
    ...shared,
    method: 'POST',
    path: '/enterprises/{id}/programs/{programId}/confirm',
    summary: 'Answer for a program whose admin is no longer one',
    description: 'The caller has a second factor. The day on which the token ends stays.',
    ownerOnly: true,
    needsProof: true,
    params: ids('id', 'programId'),
    reply: z.strictObject({ program }),
    errors: ['program_not_found', 'program_needs_factor'],
  },

  revokeProgram: {
    ...shared,
    method: 'DELETE',
    path: '/enterprises/{id}/programs/{programId}',
    summary: 'Revoke the token of a program',
    description: 'It opens nothing from the next call on.',
    params: ids('id', 'programId'),
    errors: ['program_not_found'],
  },

  getProgram: {
    method: 'GET',
    path: '/program',
    tag: 'Programs',
    summary: 'What the token of the call can do',
    description: `A program can make ${PROGRAM_RATE.tries} calls in ${PROGRAM_RATE.seconds / 60} minutes. After that the answer is 429, with the seconds to wait in \`Retry-After\`.`,
    permission: 'program',
    area: 'account',
    program: {},
    reply: z.strictObject({
      program: z.strictObject({
        name: z.string(),
        scopes: z.array(scope),
        groups: classesOf,
        expires_at: timestamp,
        enterprise: person,
      }),
    }),
  },

  listClasses: {
    method: 'GET',
    path: '/enterprises/{id}/groups',
    tag: 'Classes',
    summary: 'The classes that the caller can see, by name',
    permission: 'view_pupils',
    program: { scope: 'read_pupils' },
    params: ids('id'),
    reply: z.strictObject({ groups: z.array(classSchema) }),
  },

  listReading: {
    method: 'GET',
    path: '/enterprises/{id}/reading',
    tag: 'Programs',
    summary: 'Reading sessions in the order in which the portal received them, and the daily totals that they changed',
    description:
      'For a copy of the reading that follows the portal. Begin without `since`, or with a time. Then send `meta.next` as `since`, at once while `meta.has_more` is true and later for what is new. Store sessions by `id`, and totals by `reader_id`, `day` and `reading_level`: a total replaces the one received before. A session is included ten minutes after it was received (`meta.complete_until`), so that none is missed. `limit` is how many sessions of the school a page looks at: those of pupils who are archived or outside the classes of the program are left out, so a page can have fewer, or none.',
    permission: 'program',
    program: { scope: 'read_reading' },
    views: { what: 'file', screen: 'reading' },
    example: { query: { limit: '500' } },
    params: ids('id'),
    query: z.object({
      /** `meta.next` of the page before, or a time. */
      since: text('since is the next of a page, or a time.', 'since is the next of a page, or a time.', 200).optional(),
      limit: text(WRONG_LIMIT, WRONG_LIMIT)
        .regex(/^([1-9]\d{0,2}|1000)$/, WRONG_LIMIT)
        .transform(Number)
        .default(DEFAULT_READING_PAGE)
        .register(documentedAs, {
          type: 'integer',
          minimum: 1,
          maximum: MAX_READING_PAGE,
          default: DEFAULT_READING_PAGE,
        }),
    }),
    reply: z.strictObject({
      sessions: z.array(receivedSession),
      days: z.array(receivedDay),
      meta: z.strictObject({
        /** The place after this page. */
        next: z.string(),
        has_more: z.boolean(),
        /** Everything received until then is included, on this page or later ones. */
        complete_until: timestamp,
      }),
    }),
  },

  storePupilSessions: {
    method: 'POST',
    path: '/enterprises/{id}/readers/{readerId}/sessions',
    tag: 'Programs',
    summary: 'Submit reading sessions of a pupil from another reading app',
    description: `As \`storeSessions\`: up to ${BATCH_SIZE} sessions in at most 8 MiB, each validated on its own.`,
    permission: 'program',
    program: { scope: 'intake' },
    params: ids('id', 'readerId'),
    example: {
      body: {
        sessions: [
          {
            id: '8f1c2d4e-6a7b-4c9d-8e0f-1a2b3c4d5e6f',
            book_id: EXAMPLE.book,
            started_at: '2026-11-17T16:05:00Z',
            reading_time: 240,
            last_page: 4,
            words_attempted: 80,
            words_correct: 76,
            has_completed_book: false,
            heatmap: [20, 60, 0, -1],
            played_words: ['lantern'],
            skipped_words: [],
          },
        ],
      },
    },
    ...intake,
    errors: ['pupil_not_found'],
  },
});
