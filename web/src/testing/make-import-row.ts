import type { ImportRow } from '#contract/calls/pupil-import.ts';

/** A row of a list with the name of a new pupil. */
export const makeImportRow = (row: number, name: string, more: Partial<ImportRow> = {}): ImportRow => ({
  sheet: '',
  row,
  name,
  class: null,
  year_group: null,
  status: 'new',
  reason: null,
  existing: null,
  lacks_forename: false,
  duplicate_of: null,
  match: null,
  tag_ids: [],
  content: null,
  suggested_name: null,
  ...more,
});
