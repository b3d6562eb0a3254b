import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { documentedAs, id, idInPath, ids, timestamp, pagedMeta, paging, pupilName, text } from '../fields.ts';
import { NO_YEAR_GROUP, PUPIL_SORTS } from '../pupil-filters.ts';
import { markChildData } from '../record-views.ts';
import { YEAR_GROUPS } from '../year-group.ts';

/** A code of `YEAR_GROUPS`. */
export const yearGroup = z
  .enum(YEAR_GROUPS, `A year group is one of ${YEAR_GROUPS.join(', ')}.`)
  .meta({ id: 'YearGroup' });

/**
 * A pupil. `can_update`: the caller may rename and move the pupil and reset their password. `year_group`: the current one;
 * null if it is not known.
 */
export const pupilSchema = markChildData(
  z
    .strictObject({
      id,
      name: z.string(),
      username: z.string(),
      group: z.strictObject({ id, name: z.string() }).nullable(),
      year_group: yearGroup.nullable(),
      can_update: z.boolean(),
      last_read_at: timestamp.nullable(),
    })
    .meta({ id: 'Pupil' }),
  { pupil: 'id', fields: ['last_read_at'] },
);
export type Pupil = z.infer<typeof pupilSchema>;

/** A pupil without reading data, for resetting passwords. `can_update`: the caller may reset the password. */
const pupilLogin = pupilSchema
  .pick({ id: true, name: true, username: true, group: true, can_update: true })
  .meta({ id: 'PupilLogin' });
export type PupilLogin = z.infer<typeof pupilLogin>;

/** `sort[field]=asc`: one field. */
const sort = z
  .partialRecord(
    z.enum(PUPIL_SORTS, `Sort by ${PUPIL_SORTS.join(', ')}.`),
    z.enum(['asc', 'desc'], 'Sort asc or desc.'),
  )
  .refine((fields) => Object.keys(fields).length <= 1, 'Sort by one field.')
  .optional();

/** Class IDs, separated by commas. */
const classList = text('groups is a list of class IDs, mine or none.', 'groups names at most 200 classes.', 4000);

const searched = text('Enter something to search for.', 'Search for at most 191 characters.', 191);

/** Filters of a list of pupils. */
export const pupilFilters = {
  search: z
    .union([
      searched.transform((value) => ({ value })),
      z.object({ value: searched, regex: z.string().max(5).optional() }),
    ])
    .optional(),
  groups: z
    .union([
      classList,
      z
        .array(classList)
        .max(200)
        .transform((lists) => lists.join(',')),
    ])
    .transform((list) => list.split(',').filter(Boolean))
    .pipe(
      z
        .array(
          z.union(
            [z.enum(['none', 'mine']), idInPath],
            'groups is a list of class IDs, mine or none, separated by commas.',
          ),
        )
        .max(200),
    )
    .optional(),
  /** Only pupils who have not read for this many days, including those who never have. */
  not_read_days: text(
    'not_read_days is a number of days, from 1 to 365.',
    'not_read_days is a number of days, from 1 to 365.',
  )
    .regex(/^([1-9]\d?|[12]\d\d|3[0-5]\d|36[0-5])$/, 'not_read_days is a number of days, from 1 to 365.')
    .transform(Number)
    .optional()
    .register(documentedAs, { type: 'integer', minimum: 1, maximum: 365 }),
  /** Only pupils who have not read since this time, including those who never have. */
  not_read_since: z.iso
    .datetime({ offset: true, error: 'not_read_since is a time such as 2026-11-16T00:00:00Z.' })
    .max(35, 'not_read_since is a time such as 2026-11-16T00:00:00Z.')
    .optional(),
  /** Only pupils who last read at this level, 1 to 6. */
  level: text('A level is a number from 1 to 6.', 'A level is a number from 1 to 6.')
    .regex(/^[1-6]$/, 'A level is a number from 1 to 6.')
    .transform(Number)
    .optional()
    .register(documentedAs, { type: 'integer', minimum: 1, maximum: 6 }),
  /** Only pupils whose current year group has this code of `YEAR_GROUPS`, or is not known. */
  year_group: z
    .enum([...YEAR_GROUPS, NO_YEAR_GROUP], `year_group is one of ${YEAR_GROUPS.join(', ')}, or ${NO_YEAR_GROUP}.`)
    .optional(),
  /** Only pupils with this tag whose tags the caller may see. */
  tag: idInPath.optional(),
  /** Only pupils whom this run added, if the caller may see the run, for the 30 days in which it can be undone. */
  run: idInPath.optional(),
} as const;

/** Without `year_group` it does not change; null removes it. */
export const renameBody = z.object({ name: pupilName, year_group: yearGroup.nullish() });

export const pupilCalls = defineCalls({
  listPupils: {
    method: 'GET',
    path: '/enterprises/{id}/readers',
    tag: 'Pupils',
    summary: 'A page of the pupils that the caller can see',
    description:
      'Search by name or username (`search`, or `search[value]` as DataTables sends it). Filter by class (`groups=3,5` or `groups[]=3&groups[]=5`; `none` for pupils without a class; `mine` for the classes that a teacher teaches, or every pupil for an admin or a teacher without classes) by year group (`year_group=3`; `none` for pupils whose year group is not known), by reading (`not_read_days=7`, `not_read_since=2026-11-16T00:00:00Z`, `level=3`), by tag (`tag=5`) and by the list or the school records that added them (`run=5`). Sort with `sort[name]=asc`. `length` is an alias of `per_page` and accepts any number up to 200.',
    permission: 'view_pupils',
    example: { query: { search: 'a', sort: { name: 'asc' }, page: '1', per_page: '50' } },
    views: { what: 'page', screen: 'pupils' },
    program: { scope: 'read_pupils' },
    params: ids('id'),
    query: z.object({
      ...paging,
      length: text('The length is a number from 1 to 200.')
        .regex(/^([1-9]|[1-9]\d|1\d\d|200)$/, 'The length is a number from 1 to 200.')
        .transform(Number)
        .optional()
        .register(documentedAs, { type: 'integer', minimum: 1, maximum: 200 }),
      is_ajax: z.string().max(5).optional(),
      ...pupilFilters,
      sort,
    }),
    reply: z.strictObject({ readers: z.array(pupilSchema), meta: pagedMeta }),
  },

  listPupilLogins: {
    method: 'GET',
    path: '/enterprises/{id}/readers/logins',
    tag: 'Logins',
    summary: 'A page of pupils with their usernames and classes, sorted by name',
    description:
      'For resetting passwords, without reading data, so it works in every state of the subscription. Admins get all pupils; teachers get the pupils of their classes and those without a class.',
    permission: 'manage_logins',
    area: 'pupil-logins',
    example: { query: { search: 'a', page: '1', per_page: '50' } },
    params: ids('id'),
    query: z.object({ ...paging, search: pupilFilters.search }),
    reply: z.strictObject({ readers: z.array(pupilLogin), meta: pagedMeta }),
  },

  getPupil: {
    method: 'GET',
    path: '/enterprises/{id}/readers/{readerId}',
    tag: 'Pupils',
    summary: 'One pupil',
    permission: 'view_pupils',
    views: { what: 'page', screen: 'pupil' },
    program: { scope: 'read_pupils' },
    params: ids('id', 'readerId'),
    reply: z.strictObject({ reader: pupilSchema }),
    errors: ['pupil_not_found'],
  },

  renamePupil: {
    method: 'POST',
    path: '/enterprises/{id}/readers/{readerId}',
    tag: 'Pupils',
    summary: 'Rename a pupil, and set the year group',
    description: 'The username does not change. Without `year_group` the year group does not change; null removes it.',
    permission: 'edit_pupils',
    example: { body: { name: 'Amara Bell' } },
    views: { what: 'page', screen: 'pupils' },
    program: { scope: 'write_pupils' },
    params: ids('id', 'readerId'),
    body: renameBody,
    reply: z.strictObject({ reader: pupilSchema }),
    errors: ['pupil_not_found', 'pupil_not_managed'],
  },
});
