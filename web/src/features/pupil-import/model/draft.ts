import type { ImportPreview, ImportRow, ImportRowInput } from '#contract/calls/pupil-import.ts';

/** Where the pupils go: each into the class that its row names, none, or one class by its id. */
export type Destination = 'input' | 'none' | number;

/** A row of the list that a person checks before it is imported. */
export interface DraftRow {
  key: number;
  /** Where it stands in what was handed in: `Row 7`. */
  location: string;
  name: string;
  class: string | null;
  /** The person says that this is another pupil of the same name. */
  namesake: boolean;
  /** The person says that the school's pupil of this name goes into the row's class. */
  place: boolean;
  /** The list has first names, and this row none: asked about until somebody corrects the name or keeps it. */
  lacksForename: boolean;
  isLeftOut: boolean;
  /** It was wrong at some time: it stays where it is corrected, so that it does not vanish under the typing hand. */
  wasWrong: boolean;
  status: ImportRow['status'];
  reason: string | null;
  existing: ImportRow['existing'];
}

/** The rows as they come out of a file, a paste or the fields of the form. */
export const rowsOf = (rows: readonly ImportRow[], firstKey = 0): DraftRow[] =>
  rows.map(({ sheet, row, name, class: className, status, reason, existing, lacks_forename }, index) => ({
    key: firstKey + index,
    location: sheet ? `${sheet}, row ${row}` : `Row ${row}`,
    name,
    class: className,
    namesake: false,
    place: false,
    lacksForename: lacks_forename,
    isLeftOut: false,
    wasWrong: status === 'wrong',
    status,
    reason,
    existing,
  }));

/** One row as a call takes it. */
export const pupilOf = (
  { name, class: className, namesake, place, lacksForename }: DraftRow,
  destination: Destination,
): ImportRowInput => ({
  name,
  ...(destination === 'input' && className && { class: className }),
  ...(typeof destination === 'number' && { group_id: destination }),
  ...(namesake && { namesake }),
  ...(place && { place }),
  ...(lacksForename && { lacks_forename: true }),
});

/** The rows that are not left out, as a call takes them. */
export const pupilsOf = (rows: readonly DraftRow[], destination: Destination): ImportRowInput[] =>
  rows.filter(({ isLeftOut }) => !isLeftOut).map((row) => pupilOf(row, destination));

/**
 * The rows with what the server says of those that were sent: the ones not left out, in their order.
 * It numbers them from 1 and answers nothing for a row whose name is empty.
 */
export function applyVerdicts(rows: readonly DraftRow[], answer: Pick<ImportPreview, 'rows'>): DraftRow[] {
  const sent = rows.filter(({ isLeftOut }) => !isLeftOut);
  const byNumber = new Map(answer.rows.map((row) => [row.row, row]));
  const verdicts = new Map(sent.map(({ key }, index) => [key, byNumber.get(index + 1)]));
  return rows.map((row) => {
    if (row.isLeftOut) return row;
    const verdict = verdicts.get(row.key);
    if (!verdict)
      return { ...row, status: 'wrong', reason: 'There is no name in this row.', existing: null, wasWrong: true };
    const first = verdict.duplicate_of === null ? undefined : sent[verdict.duplicate_of - 1];
    return {
      ...row,
      status: verdict.status,
      reason: first ? `${first.location} is the same pupil.` : verdict.reason,
      existing: verdict.existing,
      wasWrong: row.wasWrong || verdict.status === 'wrong',
    };
  });
}

export interface DraftCounts {
  new: number;
  already: number;
  placed: number;
  archived: number;
  duplicate: number;
  wrong: number;
  leftOut: number;
}

export function countDraft(rows: readonly DraftRow[]): DraftCounts {
  const counts = { new: 0, already: 0, placed: 0, archived: 0, duplicate: 0, wrong: 0, leftOut: 0 };
  for (const { status, isLeftOut } of rows) counts[isLeftOut ? 'leftOut' : status] += 1;
  return counts;
}

/** Pupils whom the school has already and who are not in the class: without one, or in another that the person manages. */
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

/** Pupils of the school whom the list names with another class than theirs, and whom the person may move. */
export const movable = (rows: readonly DraftRow[]): DraftRow[] =>
  rows.filter(
    ({ isLeftOut, status, existing, class: className }) =>
      !isLeftOut &&
      (status === 'already' || status === 'placed') &&
      className !== null &&
      existing !== null &&
      existing.can_update &&
      !existing.is_archived &&
      existing.group?.name !== className,
  );

/** What happens when the person confirms: `Add 3 pupils`, `Move 2 pupils`, `Add 3 and move 2 pupils`. */
export function actionOf(added: number, moved: number): string {
  const pupils = (number: number) => `${number} ${number === 1 ? 'pupil' : 'pupils'}`;
  if (moved === 0) return added > 0 ? `Add ${pupils(added)}` : 'Add pupils';
  return added > 0 ? `Add ${added} and move ${pupils(moved)}` : `Move ${pupils(moved)}`;
}
