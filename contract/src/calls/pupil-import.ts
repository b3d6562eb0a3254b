import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { EXAMPLE } from '../examples.ts';
import { documentedAs, id, idInPath, ids, text } from '../fields.ts';
import { MAX_PUPIL_TAGS, MAX_REMEMBERED_COLUMNS, UPLOAD_BYTES } from '../limits.ts';
import { yearGroup } from './pupils.ts';

/** The maximum number of pupils in one import. */
export const IMPORT_ROWS = 5000;

const upload = { field: 'readers_file', maxBytes: UPLOAD_BYTES } as const;

/** Links to the logins just created. They work for 24 hours, only for the user who created them. See `getFile`. */
export const loginLinks = z
  .strictObject({
    /** A PDF of cards to cut out. */
    logins: z.string(),
    /** The same as an xlsx. */
    spreadsheet: z.string(),
  })
  .meta({ id: 'LoginLinks' });
export type LoginLinks = z.infer<typeof loginLinks>;

/**
 * What a column contains. `year_group` is also the class where there is no class column; `birth_date` and `upn` recognise a
 * pupil, and are stored only as digests, if the school wishes (`setImportDigests`); `ignored`: nothing that the import
 * needs.
 */
export const COLUMN_ROLES = [
  'name',
  'first_name',
  'last_name',
  'class',
  'year_group',
  'birth_date',
  'upn',
  'ignored',
] as const;

/** A role, or `tag:12`: whether a pupil gets the school's tag with this ID. */
const columnRole = z.union(
  [z.enum(COLUMN_ROLES), z.templateLiteral(['tag:', z.string().regex(/^[1-9]\d{0,14}$/)])],
  `A column is one of ${COLUMN_ROLES.join(', ')}, or a tag such as tag:12.`,
);
export type ColumnRole = z.infer<typeof columnRole>;

/** Why a file cannot be read. `errorList` has the message for each. */
export const FILE_ERRORS = [
  'file_wrong_type',
  'file_with_macros',
  'file_empty',
  'file_protected',
  'file_damaged',
  'file_too_complex',
  'file_too_many_rows',
  'file_not_understood',
] as const;

/**
 * How a list is laid out. `table`: a row for each pupil. `columns`: a class in each column, below its name. `headings`: the
 * name of a class above its pupils. `lines`: several things in one cell, or several names in a row.
 */
export const LIST_LAYOUTS = ['table', 'columns', 'headings', 'lines'] as const;
export type ListLayout = (typeof LIST_LAYOUTS)[number];

/** A guess about a list, as a question with the answer that was assumed. */
const question = z
  .strictObject({
    /** The same for the same guess about the same list. Send it back in `answers`. */
    id: z.string(),
    text: z.string(),
    /** A file with this question is not imported before it is answered. */
    is_required: z.boolean(),
    choices: z.array(z.strictObject({ value: z.string(), text: z.string() })),
    /** The value of the choice that the rows show: the answer sent, or else what was assumed. */
    answer: z.string(),
    is_answered: z.boolean(),
  })
  .meta({ id: 'ImportQuestion' });
export type ImportQuestion = z.infer<typeof question>;

const column = z
  .strictObject({
    /** Its position, from 0. */
    index: z.number().int(),
    /** Its name in a spreadsheet program: A, B … */
    letter: z.string(),
    /** Its header, or null. */
    header: z.string().nullable(),
    role: columnRole,
    /** The role is the one that the school chose for this header before. */
    is_remembered: z.boolean(),
    /** Up to three of its values; none of dates of birth and UPNs. */
    samples: z.array(z.string()),
  })
  .meta({ id: 'ImportColumn' });
export type ImportColumn = z.infer<typeof column>;

/** A sheet of the file, and how it was read. A CSV file or pasted text counts as one sheet. */
const sheet = z
  .strictObject({
    name: z.string(),
    used: z.boolean(),
    /** The request can choose to use it: `sheets`. */
    can_use: z.boolean(),
    /** The pupils in it. */
    pupils: z.number().int(),
    /** A message for the user: why the sheet was skipped, or what was assumed when reading it; null if neither. */
    note: z.string().nullable(),
    /** Row number of the headers, or null. */
    header_row: z.number().int().nullable(),
    /** Where each row's class comes from. `heading`: above its rows or its column. `chosen`: the class that the request names. */
    class_from: z.enum(['column', 'heading', 'sheet_name', 'chosen', 'none']),
    columns: z.array(column),
  })
  .meta({ id: 'ImportSheet' });
export type ImportSheet = z.infer<typeof sheet>;

export const ROW_STATUSES = ['new', 'already', 'moved', 'archived', 'duplicate', 'wrong'] as const;

/**
 * One row. `new`: the import creates the pupil. `already`: the school has a pupil with this name (`existing`), who stays
 * in their class. `moved`: that pupil moves to the row's class, because of `move_to_class`. `archived`: the pupil is in the
 * archive, and the row needs `move_to_class` or `namesake`. `duplicate`: an earlier row has the same pupil (`duplicate_of`).
 * `wrong`: see `reason`.
 */
const row = z
  .strictObject({
    sheet: z.string(),
    /** The row number in the spreadsheet; for rows sent as JSON the position in the list, from 1. */
    row: z.number().int(),
    /** The full name, tidied; for a `wrong` row exactly as in the file. */
    name: z.string(),
    class: z.string().nullable(),
    /** As the row states it. A new pupil without one gets the year in the name of the class. */
    year_group: yearGroup.nullable(),
    status: z.enum(ROW_STATUSES),
    /** A message for the user: what is wrong, where the pupil already is, or why a pupil with a known name is new; or null. */
    reason: z.string().nullable(),
    existing: z
      .strictObject({
        id,
        name: z.string(),
        group: z.strictObject({ id, name: z.string() }).nullable(),
        can_update: z.boolean(),
        is_archived: z.boolean(),
      })
      .nullable(),
    /** What a `wrong` row contains, without dates of birth and UPNs, for a user who corrects it; otherwise null. */
    content: z.string().nullable(),
    /** For a `wrong` row: the name without a remark, such as a nickname in brackets; or null. */
    suggested_name: z.string().nullable(),
    /** The file has a column of first names, but this row has none: `wrong` until the user confirms that the name is complete. */
    lacks_forename: z.boolean(),
    duplicate_of: z.number().int().nullable(),
    /** Digests of the date of birth and the UPN. Send them back with the row. */
    match: z.string().nullable(),
    /** The tags that the pupil would get. */
    tag_ids: z.array(id),
  })
  .meta({ id: 'ImportRow' });
export type ImportRow = z.infer<typeof row>;

/** Places in the school's subscription. `max_readers` and `left` are null when unlimited. */
const capacity = z
  .strictObject({
    max_readers: z.number().int().nullable(),
    used: z.number().int(),
    left: z.number().int().nullable(),
  })
  .meta({ id: 'Capacity' });

/** A row that a client sends. The import validates `name`, so that it can report every invalid row. */
export const rowInput = z
  .object({
    name: text('A name must be text.', 'A name has at most 191 characters.'),
    /** Name of a class, created if the school does not have it. */
    class: text('The class must be text.', 'The name of a class has at most 100 characters.').nullish(),
    /** A class of the school; takes precedence over `class`. */
    group_id: id.nullish(),
    /** The current year group. Without it, a new pupil gets the year in the name of the class. */
    year_group: yearGroup.nullish(),
    /** True: create the pupil even though the school has one with this name. */
    namesake: z.boolean().optional(),
    /** True: move the school's pupil with this name to the row's class, from another class or from the archive. */
    move_to_class: z.boolean().optional(),
    /** The ID of the preview's `existing`. The row is then about this pupil, and invalid if the school no longer has a pupil with this ID and name. */
    existing_id: id.nullish(),
    /** True: ask the user to confirm the name, as for a row of a file without a first name. */
    lacks_forename: z.boolean().optional(),
    /** From the preview of a file: what else identifies the pupil. */
    match: text('match must be text.', 'match has at most 1,000 characters.', 1000)
      .regex(/^[\w.-]*\/[\w.-]*$/, 'Send back match as the preview returned it.')
      .nullish(),
    /** Tags of a pupil whom the import creates. Admins only. */
    tag_ids: z.array(id, 'tag_ids is a list of ids.').max(MAX_PUPIL_TAGS).optional(),
  })
  .meta({ id: 'ImportRowInput' });
export type ImportRowInput = z.infer<typeof rowInput>;

const rows = z
  .array(rowInput, 'readers is a list of pupils.')
  .max(IMPORT_ROWS, `Add at most ${IMPORT_ROWS.toLocaleString('en-GB')} pupils at once.`);
/** Text that was copied from a spreadsheet program or typed. */
export const pastedText = text(
  'The text must be a string.',
  'This is too much to paste. Upload it as a file.',
  5_000_000,
);

/** `last_name,first_name,class`: what each column contains, instead of detecting it. */
const roles = text('The roles must be a string.')
  .transform((list) => list.split(',').map((role) => role.trim()))
  .pipe(z.array(columnRole).max(100))
  .optional();

/** What the user chose for columns, which the school's next import applies to columns with the same headers. */
const columns = z
  .array(
    z.object({ header: text('A header must be text.', 'A header has at most 100 characters.', 100), role: columnRole }),
  )
  .max(MAX_REMEMBERED_COLUMNS, `Send at most ${MAX_REMEMBERED_COLUMNS} columns.`)
  .optional();

/** `1,3`: the sheets to use, by their positions from 1. */
const sheets = text('The sheets must be a string.')
  .regex(/^[1-9]\d{0,2}(,[1-9]\d{0,2}){0,199}$/, 'Send the positions of sheets, such as 1,3.')
  .transform((list) => list.split(',').map(Number))
  .optional();

/** A line `id=value` for each answer: a question's ID, and the value of a choice. */
const answers = text('The answers must be a string.', 'The answers have at most 20,000 characters.', 20_000)
  // Browsers send line breaks of forms as `\r\n`.
  .transform((lines) => lines.split(/\r?\n/).filter(Boolean))
  .pipe(z.array(z.string().regex(/=/, 'Send each answer as id=value.')).max(200, 'Send at most 200 answers.'))
  .transform((lines) =>
    Object.fromEntries(
      lines.map((line) => [line.slice(0, line.lastIndexOf('=')), line.slice(line.lastIndexOf('=') + 1)]),
    ),
  )
  .optional();

/** How to read the list, instead of what was assumed. */
const reading = { roles, sheets, answers, layout: z.enum(LIST_LAYOUTS).optional() };

const hints = {
  ...reading,
  /** A class for all rows; a class column is then ignored. */
  group_id: z
    .union([id, idInPath], 'group_id is the id of a class.')
    .register(documentedAs, { $ref: '#/$defs/Id' })
    .optional(),
};

/** The name of the file from which the rows come, so that staff recognise the list. */
const title = text('The title must be text.').trim().max(200, 'A title has at most 200 characters.').optional();

const created = {
  /** The run with which the list can be undone; null when nothing changed. */
  run_id: id.nullable(),
  /** Null when no pupils were created. */
  links: loginLinks.nullable(),
  readers: z.array(
    z.strictObject({
      id,
      name: z.string(),
      username: z.string(),
      group: z.strictObject({ id, name: z.string() }).nullable(),
    }),
  ),
  meta: z.strictObject({
    /** Pupils created. */
    created: z.number().int(),
    /** Rows whose pupil the school already had. */
    already: z.number().int(),
    /** Rows that repeat an earlier one. */
    duplicates: z.number().int(),
    classes_created: z.array(z.string()),
    /** Existing pupils moved to a class, including those restored from the archive. */
    moved: z.number().int(),
  }),
};

const creationErrors = [
  ...FILE_ERRORS,
  'file_has_questions',
  'max_readers_reached',
  'class_not_found',
  'class_not_managed',
] as const;

export const pupilImportCalls = defineCalls({
  previewPupils: {
    method: 'POST',
    path: '/enterprises/{id}/readers/preview',
    tag: 'Adding pupils',
    summary: 'What an import would do, without doing it',
    description:
      'Takes a CSV, TSV, text, XLS, XLSX or ODS file (`readers_file`), text pasted from a spreadsheet (`text`), or rows (`readers`, to check corrections). Returns how the list was read, a question for each guess, and what the import would do with each row. To import, send the rows to keep as `readers` to `POST /enterprises/{id}/readers`, or send the same file again.',
    permission: 'manage_pupils',
    example: { body: { text: 'Name\tClass\nAmara Bell\tHerons\nTom Price\tHerons' } },
    params: ids('id'),
    body: z.object({ ...hints, text: pastedText.optional(), readers: rows.optional() }),
    upload,
    reply: z.strictObject({
      understood: z.strictObject({
        /** The detected format, whatever the file's name; `rows` for JSON. */
        format: z.enum(['csv', 'xls', 'xlsx', 'ods', 'text', 'rows']),
        /** Null for rows. */
        layout: z.enum(LIST_LAYOUTS).nullable(),
        /** The layouts in which the list can be read, the most likely first. */
        layouts: z.array(z.enum(LIST_LAYOUTS)),
        sheets: z.array(sheet),
        /** What was guessed, what must be answered first. */
        questions: z.array(question),
        /** The tags that a column can contain: the school's for an admin, none for a teacher. */
        tags: z.array(z.strictObject({ id, name: z.string() })),
      }),
      rows: z.array(row),
      counts: z.strictObject({
        new: z.number().int(),
        already: z.number().int(),
        moved: z.number().int(),
        archived: z.number().int(),
        duplicate: z.number().int(),
        wrong: z.number().int(),
      }),
      /** Classes that the import would create. */
      new_classes: z.array(z.string()),
      capacity,
      /** True when the subscription has places for the new pupils. */
      fits: z.boolean(),
    }),
    errors: [...FILE_ERRORS, 'class_not_found', 'class_not_managed'],
    bodyLimit: 16 * 1024 * 1024,
  },

  createPupils: {
    method: 'POST',
    path: '/enterprises/{id}/readers',
    tag: 'Adding pupils',
    summary: 'Add pupils to the school',
    description:
      'From `readers` or a file. All or nothing: an invalid row fails the whole call with 422, and `errors` names each one (`readers.2.name`, or `row 7` of a file). Pupils that the school already has stay unchanged, except for a year group that their row states, so repeating an import adds no one; an import never removes pupils. New classes are created; those in a teacher’s import become that teacher’s. Only `links` leads to the logins.',
    permission: 'manage_pupils',
    example: { body: { readers: [{ name: 'Amara Bell', class: 'Herons' }, { name: 'Tom Price' }] } },
    program: { scope: 'write_pupils', isWholeSchool: true },
    params: ids('id'),
    body: z.object({ ...hints, readers: rows.optional(), columns, title }),
    upload,
    reply: z.strictObject(created),
    errors: creationErrors,
    bodyLimit: 4 * 1024 * 1024,
  },

  addPupilsToClass: {
    method: 'POST',
    path: '/enterprises/{id}/groups/{groupId}/readers',
    tag: 'Adding pupils',
    summary: 'Add pupils to a class',
    description:
      'Existing pupils (`readers.existing`: IDs of pupils without a class, or in a class that the caller manages or covers) and new ones (`readers.new`, or a file). Otherwise like `POST /enterprises/{id}/readers`.',
    permission: 'manage_pupils',
    example: { body: { readers: { existing: [EXAMPLE.pupil], new: [{ name: 'Tom Price' }] } } },
    program: { scope: 'write_pupils', isWholeSchool: true },
    params: ids('id', 'groupId'),
    body: z.object({
      ...reading,
      columns,
      title,
      readers: z
        .object({
          existing: z.array(id, 'existing is a list of ids.').max(IMPORT_ROWS).default([]),
          new: rows.default([]),
        })
        .optional(),
    }),
    upload,
    reply: z.strictObject(created),
    errors: [...creationErrors, 'pupil_not_found', 'pupil_not_managed'],
    bodyLimit: 4 * 1024 * 1024,
  },
});

export type ImportPreview = z.infer<typeof pupilImportCalls.previewPupils.reply>;
export type PupilsCreated = z.infer<typeof pupilImportCalls.createPupils.reply>;
