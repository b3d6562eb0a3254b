import { z } from 'zod';

/** What was seen of a pupil's record. A download is a `file`, the reply to a change a `change`. */
export const viewKind = z.enum(['page', 'notes', 'file', 'change']);
export type ViewKind = z.infer<typeof viewKind>;

/** Where in the portal it is shown. */
export const viewScreen = z.enum([
  'pupil',
  'books',
  'book',
  'words',
  'reports',
  'subject_access',
  'pupils',
  'tags',
  'class',
  'class_reading',
  'needs',
  'lowest_fifth',
  'dashboard',
  'certificates',
  'school_export',
  'reading',
]);
export type ViewScreen = z.infer<typeof viewScreen>;

/** The data about a child in the objects of a schema. */
export interface ChildData {
  /** The fields that say something about the child. An object in which all of them are null or empty says nothing. */
  fields: readonly string[];
  /** The field with the child's ID, or with those of several. Without it the child is the one that the request names. */
  pupil?: string;
}

const marked = z.registry<ChildData>();

/** The mark of a schema, if it has one. */
export const childDataOf = (schema: z.core.$ZodType): ChildData | undefined => marked.get(schema);

/**
 * Marks an object as data about a child, so that everyone who receives it is recorded. `extend` and `pick` make another schema,
 * without the mark.
 */
/* @__NO_SIDE_EFFECTS__ */
export function markChildData<S extends z.ZodObject>(
  schema: S,
  data: { fields: readonly (keyof S['shape'] & string)[]; pupil?: keyof S['shape'] & string },
): S {
  marked.add(schema, data);
  return schema;
}

interface NamedInRequest {
  params: unknown;
  query: unknown;
}

/** The IDs of the pupils that a request names: the one in its path or query, or those in `reader_ids`. */
export function listRequestedPupils({ params, query }: NamedInRequest): number[] {
  const { readerId } = params as { readerId?: number };
  const { reader_id: queryId, reader_ids: ids = [] } = query as { reader_id?: number; reader_ids?: number[] };
  const id = readerId ?? queryId;
  return id === undefined ? ids : [id];
}

/** The class that a request names, in its path or as the only one in its query. */
export function findRequestedClass({ params, query }: NamedInRequest): number | undefined {
  const { groupId } = params as { groupId?: number };
  const { group_id: queryId, groups = [] } = query as { group_id?: number; groups?: (number | string)[] };
  const [only] = groups.length === 1 ? groups : [];
  return groupId ?? queryId ?? (typeof only === 'number' ? only : undefined);
}
