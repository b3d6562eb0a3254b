import type { ImportPreview, ImportRow, ImportRowInput } from '#contract/calls/pupil-import.ts';
import { count } from '../../../../shared/format.ts';

/** Where the pupils go: each into the class in its row, into none, or all into one class by its ID. */
export type Destination = 'input' | 'none' | number;

/** A row of the list that the user checks before importing it. */
export interface DraftRow {
  key: number;
  /** The row's position in the input: `Row 7`. */
  location: string;
  name: string;
  class: string | null;
  /** The user says that this is another pupil of the same name. */
  namesake: boolean;
  /** The user moves the school's pupil of this name to the row's class. */
  shouldMove: boolean;
  /** The list has first names, but this row does not. The user is asked until they correct or keep the name. */
  lacksForename: boolean;
  /** Digests from the file that recognise the pupil. */
  match: string | null;
  /** As the list states it. */
  yearGroup: ImportRow['year_group'];
  tagIds: readonly number[];
  isLeftOut: boolean;
  /** Whether the row has ever been wrong. It then stays in place, so that it does not vanish while the user types. */
  wasWrong: boolean;
  status: ImportRow['status'];
  reason: string | null;
  /** What a wrong row of a file contains. */
  content: string | null;
  /** The name of a wrong row without a remark, such as a nickname in brackets. */
  suggestedName: string | null;
  existing: ImportRow['existing'];
}

/** Converts the rows of a file, a paste or the form's fields. */
export const rowsOf = (rows: readonly ImportRow[]): DraftRow[] =>
  rows.map(({ sheet, row, name, class: className, status, reason, existing, match, ...fields }, index) => ({
    key: index,
    location: sheet ? `${sheet}, row ${row}` : `Row ${row}`,
    name,
    class: className,
    namesake: false,
    shouldMove: false,
    lacksForename: fields.lacks_forename,
    match,
    yearGroup: fields.year_group,
    tagIds: fields.tag_ids,
    isLeftOut: false,
    wasWrong: status === 'wrong',
    status,
    reason,
    content: fields.content,
    suggestedName: fields.suggested_name,
    existing,
  }));

/** Converts a row to the input of a call. */
export const pupilOf = (
  { name, class: className, namesake, shouldMove, lacksForename, match, yearGroup, tagIds }: DraftRow,
  destination: Destination,
): ImportRowInput => ({
  name,
  ...(destination === 'input' && className && { class: className }),
  ...(typeof destination === 'number' && { group_id: destination }),
  ...(namesake && { namesake }),
  ...(shouldMove && { move_to_class: true }),
  ...(lacksForename && { lacks_forename: true }),
  ...(match !== null && { match }),
  ...(yearGroup !== null && { year_group: yearGroup }),
  ...(tagIds.length > 0 && { tag_ids: [...tagIds] }),
});

/** Converts the rows that are not left out to the input of a call. */
export const pupilsOf = (rows: readonly DraftRow[], destination: Destination): ImportRowInput[] =>
  rows.filter(({ isLeftOut }) => !isLeftOut).map((row) => pupilOf(row, destination));

/**
 * Adds the server's results to the rows that were sent: those not left out, in order. The server numbers them from 1
 * and returns nothing for a row with an empty name.
 */
export function applyVerdicts(rows: readonly DraftRow[], answer: Pick<ImportPreview, 'rows'>): DraftRow[] {
  const sent = rows.filter(({ isLeftOut }) => !isLeftOut);
  const byNumber = new Map(answer.rows.map((row) => [row.row, row]));
  const verdicts = new Map(sent.map(({ key }, index) => [key, byNumber.get(index + 1)]));
  return rows.map((row) => {
    if (row.isLeftOut) return row;
    const verdict = verdicts.get(row.key);
    if (!verdict)
      return {
        ...row,
        status: 'wrong',
        reason: 'This row has no name.',
        suggestedName: null,
        existing: null,
        wasWrong: true,
      };
    const first = verdict.duplicate_of === null ? undefined : sent[verdict.duplicate_of - 1];
    return {
      ...row,
      status: verdict.status,
      reason: first ? `${first.location} is the same pupil.` : verdict.reason,
      suggestedName: verdict.suggested_name,
      existing: verdict.existing,
      wasWrong: row.wasWrong || verdict.status === 'wrong',
    };
  });
}

/** A name is suggested for the row, which the user can accept. */
export const isSuggested = ({ isLeftOut, status, suggestedName }: DraftRow): boolean =>
  !isLeftOut && status === 'wrong' && suggestedName !== null;

/** The import creates or moves the row's pupil. */
export const isImported = ({ isLeftOut, status }: DraftRow): boolean =>
  !isLeftOut && (status === 'new' || status === 'moved');

/** The list states the year group of a pupil who is in the school already, and whom the user may change. */
export const hasYearGroupToStore = ({ isLeftOut, status, existing, yearGroup }: DraftRow): boolean =>
  !isLeftOut && status === 'already' && existing?.can_update === true && yearGroup !== null;

interface DraftCounts {
  new: number;
  already: number;
  moved: number;
  archived: number;
  duplicate: number;
  wrong: number;
  leftOut: number;
}

export function countDraft(rows: readonly DraftRow[]): DraftCounts {
  const counts = { new: 0, already: 0, moved: 0, archived: 0, duplicate: 0, wrong: 0, leftOut: 0 };
  for (const { status, isLeftOut } of rows) counts[isLeftOut ? 'leftOut' : status] += 1;
  return counts;
}

/** What an import would do, the new pupils first: `3 new pupils for Owls`, `1 to correct`. */
export function describeDraft(rows: readonly DraftRow[], className?: string): [string, ...string[]] {
  const counts = countDraft(rows);
  const yearGroups = rows.filter(hasYearGroupToStore).length;
  const more = [
    counts.moved > 0 && `${counts.moved} to move`,
    counts.archived > 0 && `${counts.archived} in the archive`,
    counts.already > 0 && `${counts.already} in the school already`,
    yearGroups > 0 && `${count(yearGroups, 'year group')} from the list`,
    counts.duplicate > 0 && `${counts.duplicate} twice in the list`,
    counts.wrong > 0 && `${counts.wrong} to correct`,
  ];
  const added = counts.new === 0 ? 'No new pupils' : count(counts.new, 'new pupil');
  return [className === undefined ? added : `${added} for ${className}`, ...more.filter((part) => part !== false)];
}

/** Pupils who are already in the school but not in the class: without a class, or in another that the user can change. */
export function placeable(
  rows: readonly DraftRow[],
  classId: number,
): { unassigned: number[]; inOtherClass: number[] } {
  const found = rows.flatMap(({ isLeftOut, status, existing }) =>
    !isLeftOut && status === 'already' && existing?.can_update && existing.group?.id !== classId ? [existing] : [],
  );
  return {
    unassigned: found.filter((pupil) => !pupil.group).map(({ id }) => id),
    inOtherClass: found.filter((pupil) => pupil.group).map(({ id }) => id),
  };
}

/** Pupils of the school whom the list names with another class, and whom the user may move. */
export const movable = (rows: readonly DraftRow[]): DraftRow[] =>
  rows.filter(
    ({ isLeftOut, status, existing, class: className }) =>
      !isLeftOut &&
      (status === 'already' || status === 'moved') &&
      className !== null &&
      existing !== null &&
      existing.can_update &&
      !existing.is_archived &&
      existing.group?.name !== className,
  );

/** The label of the confirmation: `Add 3 pupils`, `Move 2 pupils`, `Add 3 and move 2 pupils`. */
export function actionOf(added: number, moved: number): string {
  const pupils = (number: number) => `${number} ${number === 1 ? 'pupil' : 'pupils'}`;
  if (moved === 0) return added > 0 ? `Add ${pupils(added)}` : 'Add pupils';
  return added > 0 ? `Add ${added} and move ${pupils(moved)}` : `Move ${pupils(moved)}`;
}
