import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { EXAMPLE } from '../examples.ts';
import { id, idInPath, ids, normalizeName, requiredLine } from '../fields.ts';
import { MAX_PUPIL_TAGS } from '../limits.ts';
import { IMPORT_ROWS } from './pupil-import.ts';
import { markChildData } from '../record-views.ts';

/** The names of the sensitive tags, which are off until an admin turns them on with a purpose. */
export const SENSITIVE_TAGS = { pupil_premium: 'Pupil premium', send: 'SEND' } as const;
export type SensitiveKind = keyof typeof SENSITIVE_TAGS;
const SENSITIVE_KINDS = Object.keys(SENSITIVE_TAGS) as [SensitiveKind, ...SensitiveKind[]];

/** The school's own tags cannot have these names, in lower case, because they need a purpose. */
const SENSITIVE_NAMES = new Set(['pupil premium', 'pp', 'send', 'sen']);

/**
 * A tag of pupils. `purpose`: what the school uses a sensitive tag for; null for its own tags. `reader_ids`: the pupils with
 * the tag whose tags the caller may see, without archived ones.
 */
const pupilTag = markChildData(
  z
    .strictObject({
      id,
      name: z.string(),
      kind: z.enum(['own', ...SENSITIVE_KINDS]),
      purpose: z.string().nullable(),
      reader_ids: z.array(id),
    })
    .meta({ id: 'PupilTag' }),
  { pupil: 'reader_ids', fields: ['name'] },
);
export type PupilTag = z.infer<typeof pupilTag>;

export const pupilTagBody = z.object({
  name: requiredLine('name of the tag', 40)
    .transform(normalizeName)
    .refine(
      (name) => !SENSITIVE_NAMES.has(name.toLowerCase()),
      'This is a sensitive tag. Turn it on below “Sensitive tags”, with its purpose.',
    ),
});

export const sensitiveTagBody = z.object({
  kind: z.enum(SENSITIVE_KINDS, 'The kind is pupil_premium or send.'),
  purpose: requiredLine('purpose', 300),
});

const somePupils = z
  .array(id, 'Send the ids of pupils.')
  .max(IMPORT_ROWS, `Choose at most ${IMPORT_ROWS.toLocaleString('en-GB')} pupils at once.`)
  .default([]);

/** The pupils who get a tag and those who lose it. */
const tagChange = z.object({ tag_id: id, add: somePupils, remove: somePupils });
export type TagChange = z.input<typeof tagChange>;

export const pupilTagCalls = defineCalls({
  listPupilTags: {
    method: 'GET',
    path: '/enterprises/{id}/tags',
    tag: 'Pupils',
    summary: 'The school’s tags and the pupils who have them, sorted by name, sensitive tags last',
    description:
      'Admins get all tags. Teachers get the tags of the pupils in their classes, with those pupils only. With `reader_id` the tags have that pupil alone. `GET …/readers?tag=5` filters the list of pupils.',
    permission: 'view_details',
    views: { what: 'page', screen: 'tags', screenAlone: 'pupil' },
    params: ids('id'),
    query: z.object({ reader_id: idInPath.optional() }),
    reply: z.strictObject({ tags: z.array(pupilTag) }),
  },

  createPupilTag: {
    method: 'POST',
    path: '/enterprises/{id}/tags',
    tag: 'Pupils',
    summary: 'Create a tag',
    description: `A school has at most ${MAX_PUPIL_TAGS} tags, with different names regardless of case.`,
    permission: 'edit_school',
    example: { body: { name: 'Reading club' } },
    params: ids('id'),
    body: pupilTagBody,
    reply: z.strictObject({ id }),
  },

  renamePupilTag: {
    method: 'POST',
    path: '/enterprises/{id}/tags/{tagId}',
    tag: 'Pupils',
    summary: 'Rename one of the school’s own tags',
    permission: 'edit_school',
    example: { body: { name: 'Lunchtime club' } },
    params: ids('id', 'tagId'),
    body: pupilTagBody,
  },

  deletePupilTag: {
    method: 'DELETE',
    path: '/enterprises/{id}/tags/{tagId}',
    tag: 'Pupils',
    summary: 'Delete a tag, or turn a sensitive one off',
    description: 'It is removed from all pupils, archived ones too.',
    permission: 'edit_school',
    params: ids('id', 'tagId'),
  },

  turnOnSensitiveTag: {
    method: 'POST',
    path: '/enterprises/{id}/sensitive-tags',
    tag: 'Pupils',
    summary: 'Turn on Pupil premium or SEND, or change its purpose',
    description: 'These tags are off until an admin states what the school uses them for.',
    permission: 'edit_school',
    example: { body: { kind: 'pupil_premium', purpose: 'To plan extra reading time with the grant.' } },
    params: ids('id'),
    body: sensitiveTagBody,
    reply: z.strictObject({ id }),
  },

  tagPupils: {
    method: 'POST',
    path: '/enterprises/{id}/readers/tags',
    tag: 'Pupils',
    summary: 'Add tags to pupils and remove tags from them',
    description: 'All or nothing. A pupil who is in both lists of a tag has it afterwards.',
    permission: 'edit_school',
    example: { body: { changes: [{ tag_id: EXAMPLE.tag, add: [EXAMPLE.pupil], remove: [EXAMPLE.otherPupil] }] } },
    params: ids('id'),
    body: z.object({
      changes: z
        .array(tagChange, 'Choose a tag.')
        .min(1, 'Choose a tag.')
        .max(MAX_PUPIL_TAGS, `Change at most ${MAX_PUPIL_TAGS} tags at once.`),
    }),
    errors: ['pupil_not_found'],
  },
});
