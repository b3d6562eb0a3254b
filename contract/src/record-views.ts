import { z } from 'zod';

/** What was seen of a pupil's record. A download is a `file`. */
export const viewed = z.enum(['page', 'notes', 'file']);
export type Viewed = z.infer<typeof viewed>;

/** Where in the portal it is shown. */
export const viewScreen = z.enum(['pupil', 'books', 'book', 'words', 'reports', 'subject_access']);
export type ViewScreen = z.infer<typeof viewScreen>;

/** The IDs of the pupils that a request is about: the one in its path, or those in `reader_ids`. */
export function listRequestedPupils({ params, query }: { params: unknown; query: unknown }): number[] {
  const { readerId } = params as { readerId?: number };
  const { reader_ids: ids = [] } = query as { reader_ids?: number[] };
  return readerId === undefined ? ids : [readerId];
}
