import type { ColumnRole } from '#contract/calls/pupil-import.ts';
import { searchKey } from '#contract/fields.ts';
import { digestWith } from '../../../auth/secrets-key.ts';
import type { ListKnowledge } from '../../../lists/columns.ts';
import { headerKey, type TagOfColumn } from '../../../lists/header-words.ts';

/** What is known about the school’s lists, in a form that a worker can get. */
export interface StoredKnowledge {
  schoolId: number;
  /** The keys for the digests of headers, and of nothing else. */
  headerKeys: readonly string[];
  /** The role that the school chose for a header, by its digest. */
  remembered: ReadonlyMap<string, ColumnRole>;
  tags: readonly TagOfColumn[];
  /** The school’s classes, in the form in which names are compared. */
  classes: ReadonlySet<string>;
}

/**
 * The keyed digests of a header, one for each key of the installation; the first is stored. A header is stored as a digest
 * because it may be a child's name: in a file without headers, the first row is a pupil.
 */
export const digestHeader = (
  { headerKeys, schoolId }: Pick<StoredKnowledge, 'headerKeys' | 'schoolId'>,
  key: string,
): string[] => headerKeys.map((secret) => digestWith(secret, `${schoolId} ${key}`).toString('base64url'));

/** What is known about the school’s lists, by which one is understood. */
export function toKnowledge(stored: StoredKnowledge): ListKnowledge {
  const { remembered, tags, classes } = stored;
  return {
    tags,
    isClass: (text) => classes.has(searchKey(text)),
    recall: (header) => {
      const key = headerKey(header);
      if (key === '' || remembered.size === 0) return undefined;
      const digest = digestHeader(stored, key).find((candidate) => remembered.has(candidate));
      return digest === undefined ? undefined : remembered.get(digest);
    },
  };
}
