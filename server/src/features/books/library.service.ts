import type { Book } from '#contract/calls/books.ts';
import type { Config } from '../../config.ts';
import type { LibraryRow } from './library.queries.ts';

/** Where covers and previews are: here, or at the address that `CONTENT_URL` names. */
const contentUrl = ({ contentUrl: elsewhere }: Config): string => elsewhere?.replace(/\/+$/, '') ?? '/content';

/** The version stands in the address, so that a browser may keep the file for good. */
const addressOf = (base: string, path: string, version: string | null): string | null =>
  version === null ? null : `${base}/${path}?v=${encodeURIComponent(version)}`;

/** A book as the wire shows it. */
export function toBook(
  config: Config,
  { cover_version, preview_version, via_class, to_pupil, ...row }: LibraryRow,
): Book {
  const base = contentUrl(config);
  return {
    ...row,
    cover_image: addressOf(base, `covers/${row.id}`, cover_version),
    preview: addressOf(base, `previews/${row.id}.pdf`, preview_version),
    is_assigned: via_class || to_pupil,
    is_assigned_via_group: via_class,
    is_assigned_to_reader: to_pupil,
    assigned_via: via_class ? 'group' : to_pupil ? 'reader' : null,
  };
}
