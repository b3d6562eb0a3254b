import type { Book } from '#contract/calls/books.ts';
import type { Config } from '../../../config.ts';
import type { LibraryRow } from './library.queries.ts';

/** The base URL of covers and previews: `CONTENT_URL`, or this server. */
const baseUrl = ({ contentUrl }: Config): string => contentUrl?.replace(/\/+$/, '') ?? '/content';

/** The URL includes the version, so that a browser can cache the file for a year. */
const fileUrl = (base: string, path: string, version: string | null): string | null =>
  version === null ? null : `${base}/${path}?v=${encodeURIComponent(version)}`;

/** A book as the API returns it. */
export function toBook(
  config: Config,
  { cover_version, preview_version, via_class, to_pupil, ...row }: LibraryRow,
): Book {
  const base = baseUrl(config);
  return {
    ...row,
    cover_image: fileUrl(base, `covers/${row.id}`, cover_version),
    preview: fileUrl(base, `previews/${row.id}.pdf`, preview_version),
    is_assigned: via_class || to_pupil,
    is_assigned_via_group: via_class,
    is_assigned_to_reader: to_pupil,
    assigned_via: via_class ? 'group' : to_pupil ? 'reader' : null,
  };
}
