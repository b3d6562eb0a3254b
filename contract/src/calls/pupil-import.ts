import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { EXAMPLE } from '../examples.ts';
import { id, idInPath, ids, text } from '../fields.ts';
import { UPLOAD_BYTES } from '../limits.ts';

/** Most pupils that one import may hold. */
export const IMPORT_ROWS = 5000;

const upload = { field: 'readers_file', maxBytes: UPLOAD_BYTES } as const;

/** Links to the logins just made, good for 24 hours for whoever made them. See `getFile`. */
export const loginLinks = z
  .strictObject({
    /** A PDF of cards to cut out. */
    logins: z.string(),
    /** The same as an xlsx. */
    spreadsheet: z.string(),
  })
  .meta({ id: 'LoginLinks' });
export type LoginLinks = z.infer<typeof loginLinks>;

/** What a column holds. `ignored`: nothing that is needed here. */
export const COLUMN_ROLES = ['name', 'first_name', 'last_name', 'class', 'ignored'] as const;
export type ColumnRole = (typeof COLUMN_ROLES)[number];

/** Why a file cannot be read; each with its text in `errorList`. */
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

const column = z
  .strictObject({
    /** Its place, from 0. */
    index: z.number().int(),
    /** Its name in a spreadsheet program: A, B … */
    letter: z.string(),
    /** The text above it, or null. */
    header: z.string().nullable(),
    role: z.enum(COLUMN_ROLES),
    /** Up to three of its values. */
    samples: z.array(z.string()),
  })
  .meta({ id: 'ImportColumn' });
export type ImportColumn = z.infer<typeof column>;

/** A sheet of the file, and what was understood of it. A csv file and pasted text are one sheet. */
const sheet = z
  .strictObject({
    name: z.string(),
    used: z.boolean(),
    /** For a person: why the sheet was left out, or what was assumed in reading it; null when there is nothing to say. */
    note: z.string().nullable(),
    /** Row number of the headers; null when there are none. */
    header_row: z.number().int().nullable(),
    /** Where each row's class comes from. `chosen`: the class that the request names. */
    class_from: z.enum(['column', 'sheet_name', 'chosen', 'none']),
    columns: z.array(column),
  })
  .meta({ id: 'ImportSheet' });
export type ImportSheet = z.infer<typeof sheet>;

export const ROW_STATUSES = ['new', 'already', 'placed', 'archived', 'duplicate', 'wrong'] as const;

/**
 * One row. `new` is created by the import; `already`: the school has a pupil of this name (`existing`), who stays where
 * they are; `placed`: that pupil is put into the row's class, as `place` asks; `archived`: the pupil is in the archive, and
 * the row needs an answer, `place` or `namesake`;
 * `duplicate`: the file has the pupil in an earlier row (`duplicate_of`); `wrong`: see `reason`.
 */
const row = z
  .strictObject({
    sheet: z.string(),
    /** As the spreadsheet program numbers it; the place in the list, from 1, for rows sent as JSON. */
    row: z.number().int(),
    /** Put together and tidied; as it stands in the file when it is wrong. */
    name: z.string(),
    class: z.string().nullable(),
    status: z.enum(ROW_STATUSES),
    /** For a person: what is wrong, or where the pupil is already; null for a new one. */
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
    /** The file has a column of first names, and this row none: wrong until somebody says that the name is whole. */
    lacks_forename: z.boolean(),
    duplicate_of: z.number().int().nullable(),
  })
  .meta({ id: 'ImportRow' });
export type ImportRow = z.infer<typeof row>;

/** Places of the school's subscription. `max_readers` and `left` are null when they are unlimited. */
const capacity = z
  .strictObject({
    max_readers: z.number().int().nullable(),
    used: z.number().int(),
    left: z.number().int().nullable(),
  })
  .meta({ id: 'Capacity' });

/** A row that a client sends. `name` is judged by the import, so that each wrong one is told. */
export const rowInput = z
  .object({
    name: text('A name is a text.', 'A name has at most 191 characters.'),
    /** Name of a class; it is created when the school has none of that name. */
    class: text('The class is a text.', 'The name of a class has at most 100 characters.').nullish(),
    /** A class of the school; before `class`. */
    group_id: id.nullish(),
    /** True creates the pupil although the school has one of this name. */
    namesake: z.boolean().optional(),
    /** True puts the pupil whom the school has of this name into the row's class: from another class, or back from the archive. */
    place: z.boolean().optional(),
    /** True asks about the name again, as the row of a file without a first name does. */
    lacks_forename: z.boolean().optional(),
  })
  .meta({ id: 'ImportRowInput' });
export type ImportRowInput = z.infer<typeof rowInput>;

const rows = z
  .array(rowInput, 'readers is a list of pupils.')
  .max(IMPORT_ROWS, `Add at most ${IMPORT_ROWS.toLocaleString('en-GB')} pupils at once.`);
const pastedText = text('The text is a text.', 'This is too much to paste. Upload it as a file.', 5_000_000);

/** `last_name,first_name,class`: what each column is, in place of what the import would find out. */
const roles = text('The roles are a text.')
  .transform((list) => list.split(',').map((role) => role.trim()))
  .pipe(z.array(z.enum(COLUMN_ROLES, `A column is one of ${COLUMN_ROLES.join(', ')}.`)).max(100))
  .optional();

const hints = {
  roles,
  /** A class for all rows; a class column is then ignored. */
  group_id: z.union([id, idInPath], 'group_id is the id of a class.').optional(),
};

const created = {
  /** Null when nobody was created. */
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
    /** Rows whose pupil the school had already. */
    already: z.number().int(),
    /** Rows that repeat an earlier one. */
    duplicates: z.number().int(),
    classes_created: z.array(z.string()),
    /** Existing pupils put into a class, those who came back from the archive among them. */
    placed: z.number().int(),
  }),
};

const creationErrors = [...FILE_ERRORS, 'max_readers_reached', 'class_not_found', 'class_not_managed'] as const;

export const pupilImportCalls = defineCalls({
  previewPupils: {
    method: 'POST',
    path: '/enterprises/{id}/readers/preview',
    tag: 'Adding pupils',
    summary: 'What an import would do, without doing it',
    description:
      'Takes a csv, xls or xlsx file (`readers_file`), text pasted from a spreadsheet (`text`), or rows (`readers`, to check what a person has corrected). Answers which column is what and what becomes of each row. To import: send the rows that the person kept as `readers` to `POST /enterprises/{id}/readers`, or the same file again.',
    permission: 'manage_pupils',
    example: { body: { text: 'Name\tClass\nAmara Bell\tHerons\nTom Price\tHerons' } },
    params: ids('id'),
    body: z.object({ ...hints, text: pastedText.optional(), readers: rows.optional() }),
    upload,
    reply: z.strictObject({
      understood: z.strictObject({
        /** What the input is, whatever its name says; `rows` for JSON. */
        format: z.enum(['csv', 'xls', 'xlsx', 'text', 'rows']),
        sheets: z.array(sheet),
      }),
      rows: z.array(row),
      counts: z.strictObject({
        new: z.number().int(),
        already: z.number().int(),
        placed: z.number().int(),
        archived: z.number().int(),
        duplicate: z.number().int(),
        wrong: z.number().int(),
      }),
      /** Classes that the import would create. */
      new_classes: z.array(z.string()),
      capacity,
      /** True when the new pupils fit into the subscription. */
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
      'From `readers`, or from a file. All or nothing: a wrong row fails the whole call with 422, `errors` naming each (`readers.2.name`, or `row 7` of a file). Pupils whom the school has already are left as they are, so that the same import twice adds nobody; nobody is ever removed. Classes that the school lacks are created; one that a teacher brings becomes theirs. The logins are in `links` alone.',
    permission: 'manage_pupils',
    example: { body: { readers: [{ name: 'Amara Bell', class: 'Herons' }, { name: 'Tom Price' }] } },
    params: ids('id'),
    body: z.object({ ...hints, readers: rows.optional() }),
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
      'Pupils of the school (`readers.existing`: ids of pupils without a class, or in one that the caller manages) and new ones (`readers.new`, or a file). The rest is as in `POST /enterprises/{id}/readers`.',
    permission: 'manage_pupils',
    example: { body: { readers: { existing: [EXAMPLE.pupil], new: [{ name: 'Tom Price' }] } } },
    params: ids('id', 'groupId'),
    body: z.object({
      roles,
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
