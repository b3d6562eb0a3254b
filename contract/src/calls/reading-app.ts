import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { EXAMPLE } from '../examples.ts';
import { id, timestampInput, existingPassword, readingLevel, text } from '../fields.ts';

/** The maximum number of sessions in one batch. */
export const BATCH_SIZE = 500;
/** The maximum length of the error reported for a session, in characters. */
export const MAX_FAULT = 200;

/** Whether PostgreSQL can store the text. */
const storable = (word: string) => !word.includes('\0');

/** A list validated only up to its first invalid element, so that a million invalid elements cost no more than one. */
const listOf = <T>(what: string, most: number, element: z.ZodType<T>) =>
  z
    .array(z.unknown(), `${what} is a list.`)
    .max(most, { error: `${what} has at most ${most} elements.`, abort: true })
    .transform((elements, context) => {
      const values: T[] = [];
      for (const [index, given] of elements.entries()) {
        const parsed = element.safeParse(given);
        if (!parsed.success) {
          const message = parsed.error.issues[0]?.message ?? 'This is not valid.';
          context.addIssue({ code: 'custom', path: [index], message });
          return z.NEVER;
        }
        values.push(parsed.data);
      }
      return values;
    });

/** Words of one session; the longest book has 951. */
const MAX_WORDS = 2000;
const words = (what: string) =>
  listOf(
    what,
    MAX_WORDS,
    text(`${what} is a list of words.`, `A word has at most 100 characters.`)
      .trim()
      .min(1)
      .max(100)
      .refine(storable, `${what} has a character that cannot be stored.`),
  );
/** Words that one session may report with their outcomes: the longest book five times. */
const MAX_HEARD_WORDS = 5000;

/** A word of the text as the pupil came to it, in the order of reading. */
const heardWord = z.object({
  word: text('A word is text.', 'A word has at most 100 characters.')
    .trim()
    .min(1, 'A word is not empty.')
    .max(100, 'A word has at most 100 characters.')
    .refine(storable, 'A word has a character that cannot be stored.'),
  /** `asked`: the pupil asked to hear it; `skipped`: it was never recognised as read. */
  outcome: z.enum(['read', 'asked', 'skipped'], 'An outcome is read, asked or skipped.'),
  /** From the end of the word before to the end of this one, without turning the page. */
  milliseconds: z
    .number('milliseconds is a whole number.')
    .int('milliseconds is a whole number.')
    .min(0, 'milliseconds is not negative.')
    .max(600_000, 'milliseconds is at most 600000.'),
});
export type HeardWord = z.output<typeof heardWord>;

const integer = (what: string, most: number) =>
  z
    .number(`${what} is a whole number.`)
    .int(`${what} is a whole number.`)
    .min(0, `${what} is not negative.`)
    .max(most, `${what} is at most ${most}.`);

/** One session as the reading app sends it. The device creates `id`, so that a session sent twice counts once. */
export const intakeSession = z
  .object({
    id: z.uuid('The id is a UUID.'),
    book_id: id,
    started_at: timestampInput,
    reading_time: integer('reading_time', 86_400),
    last_page: integer('last_page', 10_000),
    words_attempted: integer('words_attempted', 1_000_000),
    words_correct: integer('words_correct', 1_000_000),
    has_completed_book: z.boolean('has_completed_book is true or false.'),
    heatmap: listOf('heatmap', 10_000, z.number('heatmap is a list of numbers.').int().min(-1).max(1_000_000)),
    played_words: words('played_words'),
    skipped_words: words('skipped_words'),
    words: listOf('words', MAX_HEARD_WORDS, heardWord).optional(),
  })
  .refine((session) => session.words_correct <= session.words_attempted, {
    path: ['words_correct'],
    message: 'words_correct is not more than words_attempted.',
  });
export type IntakeSession = z.output<typeof intakeSession>;

/** A batch of sessions of one pupil, and what became of them. */
export const intake = {
  body: z.object({
    /** The time on the tablet as it sends the request. */
    sent_at: timestampInput.optional(),
    /** The tablet: a UUID that the app makes once. */
    device_id: z.uuid('The device_id is a UUID.').toLowerCase().optional(),
    // Validated one by one, so that one invalid session does not lose the others.
    sessions: z
      .array(z.unknown(), 'sessions is a list.')
      .min(1, 'Send at least one session.')
      .max(BATCH_SIZE, `Send at most ${BATCH_SIZE} sessions at once.`),
  }),
  reply: z.strictObject({
    accepted: z.number().int(),
    duplicates: z.number().int(),
    rejected: z.array(z.strictObject({ id: z.string().max(100).nullable(), error: z.string().max(MAX_FAULT) })),
  }),
  bodyLimit: 8 * 1024 * 1024,
} as const;

export const readingAppCalls = defineCalls({
  logInPupil: {
    method: 'POST',
    path: '/reader/auth',
    tag: 'Reading app',
    summary: 'Log a pupil in',
    description:
      'The token gives access to the calls under `/reader` for this pupil, and to nothing else. Usernames are not case-sensitive. After five wrong passwords for a pupil the next attempt has to wait, 5 seconds at first and twice as long each time, up to 5 minutes: 429 with `Retry-After`. An attempt that is too early does not prolong the wait. Networks where pupils of the school log in are counted on their own.',
    permission: 'open',
    example: { body: { username: EXAMPLE.username, password: EXAMPLE.password } },
    body: z.object({
      username: text('Enter a username.', 'A username has at most 191 characters.')
        .trim()
        .min(1, 'Enter a username.')
        .max(191, 'A username has at most 191 characters.'),
      password: existingPassword,
    }),
    reply: z.strictObject({
      reader: z.strictObject({ id, name: z.string(), username: z.string() }),
      /** Whether the school allows recordings of pupils reading. */
      recording_enabled: z.boolean(),
      meta: z.strictObject({ token: z.string() }),
    }),
    errors: ['pupil_login_failed', 'pupil_archived', 'school_closed'],
    rateLimits: [
      { by: 'account', field: 'username', tries: 5, seconds: 3600, slowsDown: true, countsKnownApart: true },
      { by: 'address', tries: 300, seconds: 300, countsFailuresOnly: true, countsKnownApart: true },
    ],
  },

  listPupilBooks: {
    method: 'GET',
    path: '/reader/books',
    tag: 'Reading app',
    summary: 'The books assigned to the pupil, through the class or directly',
    permission: 'reader',
    reply: z.strictObject({
      books: z.array(
        z.strictObject({
          id,
          title: z.string(),
          reading_level: readingLevel,
          collection_key: z.string(),
          pages_count: z.number().int(),
          pages: z.array(z.string()),
          assigned_via: z.enum(['group', 'reader']),
        }),
      ),
    }),
    errors: ['school_closed'],
  },

  storeSessions: {
    method: 'POST',
    path: '/reader/sessions',
    tag: 'Reading app',
    summary: 'Submit reading sessions',
    description:
      'Up to 500 of the pupil’s sessions, in at most 8 MiB. Each is validated on its own: valid ones are stored, invalid ones are listed in `rejected` with their first error, and those sent before are counted in `duplicates`. `words` is optional: each word of the text as the pupil came to it, with its outcome and the time it took. With it the portal knows which words were met; without it, it takes them from the pages. It stores the counts of a day, not each word. `sent_at` is the tablet’s own time as it sends: when it differs by more than 2 minutes from ours, each `started_at` is corrected by the difference. A start that is then before 2018 or more than a day ahead is replaced, so that the session ends as it arrives. No session is rejected for its time. `device_id` is a UUID that the app makes once per tablet; with `sent_at`, the school sees which tablets have a wrong clock.',
    permission: 'reader',
    example: {
      body: {
        sent_at: '2026-11-17T16:10:00Z',
        device_id: '0c8f3a52-6d1e-4b7a-9a34-5be1f20c7d18',
        sessions: [
          {
            id: '5d0f3c9e-2b1a-4a7e-8f64-90c1d2e3f405',
            book_id: 101,
            started_at: '2026-11-17T16:05:00Z',
            reading_time: 240,
            last_page: 4,
            words_attempted: 80,
            words_correct: 76,
            has_completed_book: false,
            heatmap: [20, 60, 0, -1],
            played_words: ['lantern'],
            skipped_words: [],
            words: [
              { word: 'The', outcome: 'read', milliseconds: 310 },
              { word: 'lantern', outcome: 'asked', milliseconds: 2900 },
            ],
          },
        ],
      },
    },
    ...intake,
    errors: ['school_closed'],
    rateLimits: [{ by: 'pupil', tries: 120, seconds: 300, countsSuccesses: true }],
  },
});
