import type { ImportRow } from '#contract/calls/pupil-import.ts';
import { className, pupilName } from '#contract/fields.ts';
import { type YearGroup, yearGroupOfClass } from '#contract/year-group.ts';
import type { StaffSession } from '../../../context.ts';
import { classKey } from '../../school/classes/classes.public.ts';
import { nameKey } from '../../school/pupils/pupils.public.ts';
import {
  hasOtherBirth,
  hasSameBirth,
  hasSameUpn,
  looksPersonal,
  type MatchDigests,
  parseMatch,
} from './match-digests.service.ts';
import { type ImportedRow, suggestName } from './parser.service.ts';

type ExistingPupil = NonNullable<ImportRow['existing']> & { digests: MatchDigests };

/** The school's current data, with which an import is compared. */
interface ExistingData {
  /** Including archived pupils. */
  pupils: readonly ExistingPupil[];
  classes: readonly { id: number; name: string; user_manages: boolean }[];
}

/** The class of a pupil to create: an existing one, a new one by its key, or none. */
export type TargetClass = { id: number; name: string } | { newKey: string } | null;

interface NewPupilPlan {
  name: string;
  target: TargetClass;
  yearGroup: YearGroup | null;
  tagIds?: readonly number[];
}

/** An existing pupil who moves to the row's class. */
export interface PlannedMove {
  pupilId: number;
  target: TargetClass;
  /** Restored from the archive. */
  isRestored: boolean;
}

/** What an import would do. */
export interface Plan {
  rows: ImportRow[];
  /** The errors of invalid rows, by their path. */
  wrong: Map<string, string[]>;
  creating: NewPupilPlan[];
  moves: PlannedMove[];
  /** Classes to create, by key. */
  newClasses: Map<string, string>;
}

const NO_CLASS = /^([-–—]|n\/?a|none|no class)$/i;
const FORMULA = /(^|\s)([=+@]|-[^\p{L}\s])/u;

const ERROR_VALUE = /^#(REF!|N\/A|NAME\?|VALUE!|DIV\/0!|NULL!|NUM!|SPILL!)$/i;

type CheckedRow = {
  row: ImportedRow;
  name: string;
  key: string;
  target: TargetClass;
  targetKey: string;
  label: string | null;
  digests: MatchDigests;
} & ({ wrong?: undefined } | { wrong: { field: string; text: string } });

/**
 * Determines the status of each row: new, already in the school, a duplicate, or invalid.
 * A pupil with the same UPN, or the same name and date of birth, is the same pupil. Where these are not known, so is one
 * with the same name and class, and one with the same name in another class, unless another row matches that pupil or
 * the row is marked as a namesake. So a repeated import adds no pupils. One with another date of birth is another pupil.
 * A row with the pupil's ID from a preview never creates one: it is invalid if that pupil is gone or has another name.
 * @param chosen the class for all rows
 * @param today YYYY-MM-DD
 */
export function planImport(
  rows: readonly ImportedRow[],
  known: ExistingData,
  me: StaffSession,
  chosen: { id: number; name: string } | undefined,
  today: string,
): Plan {
  const newClasses = new Map<string, string>();
  const checked = rows.map(createRowChecker(known, chosen, today));
  const byName = Map.groupBy(known.pupils, ({ name }) => nameKey(name));
  const matches = matchPupils(checked, known, byName);
  const seen = new SeenRows();
  const plan: Plan = { rows: [], wrong: new Map(), creating: [], moves: [], newClasses };

  for (const [index, checkedRow] of checked.entries()) {
    const { row, name, key, target, targetKey, label, digests } = checkedRow;
    const base = {
      sheet: row.sheet,
      row: row.row,
      name,
      class: label,
      year_group: row.yearGroup,
      existing: null,
      lacks_forename: row.lacksForename,
      content: null,
      suggested_name: null,
      duplicate_of: null,
      match: row.match,
      tag_ids: [...row.tagIds],
    };
    const fail = (field: string, text: string) => {
      const suggested = field === 'name' ? suggestName(row.name) : null;
      plan.rows.push({ ...base, status: 'wrong', reason: text, content: row.content, suggested_name: suggested });
      const path = row.path.startsWith('readers') ? `${row.path}.${field}` : row.path;
      plan.wrong.set(path, [text]);
    };
    if (checkedRow.wrong) {
      fail(checkedRow.wrong.field, checkedRow.wrong.text);
      continue;
    }
    const first = seen.findSame(checkedRow)?.row;
    if (first && !row.namesake) {
      plan.rows.push({
        ...base,
        status: 'duplicate',
        reason: `Row ${first.row}${first.sheet && first.sheet !== row.sheet ? ` of ${first.sheet}` : ''} is the same pupil.`,
        duplicate_of: first.row,
      });
      continue;
    }
    if (!first) seen.add(checkedRow);
    const existing = withoutDigests(matches.get(index));
    if (row.existingId !== null && existing?.id !== row.existingId) {
      fail('name', `${name} was in your school when you checked this list, and no longer is.`);
      continue;
    }
    if (existing?.is_archived && !row.shouldMove) {
      const reason = `${existing.name} was deleted and is in the archive. Is this the same child?`;
      plan.rows.push({ ...base, status: 'archived', reason, existing });
      plan.wrong.set(row.path.startsWith('readers') ? `${row.path}.name` : row.path, [reason]);
      continue;
    }
    const isElsewhere = existing !== null && (existing.is_archived || ownKey(existing) !== targetKey);
    if (existing && !(row.shouldMove && isElsewhere)) {
      const where = existing.group ? `in ${existing.group.name}` : 'in your school without a class';
      const reason =
        nameKey(existing.name) === key
          ? `${existing.name} is already ${where}.`
          : `${existing.name} has the same UPN and is already ${where}.`;
      plan.rows.push({ ...base, status: 'already', reason, existing });
      continue;
    }
    const classError = explainTarget(target, known, me) ?? (existing ? explainMove(existing, me) : undefined);
    if (classError) {
      fail('class', classError);
      continue;
    }
    if (target && 'newKey' in target && label) newClasses.set(target.newKey, newClasses.get(target.newKey) ?? label);
    if (existing) {
      const from = existing.is_archived ? 'the archive' : (existing.group?.name ?? 'no class');
      const to = label ?? 'no class';
      plan.rows.push({ ...base, status: 'moved', reason: `${existing.name} moves from ${from} to ${to}.`, existing });
      plan.moves.push({ pupilId: existing.id, target, isRestored: existing.is_archived });
      continue;
    }
    const namesake = byName.get(key)?.find((pupil) => !pupil.is_archived && hasOtherBirth(pupil.digests, digests));
    plan.rows.push({
      ...base,
      status: 'new',
      reason: namesake && !row.namesake ? `${namesake.name} of your school has another date of birth.` : null,
    });
    const yearGroup = row.yearGroup ?? yearGroupOfClass(label ?? '');
    plan.creating.push({ name, target, yearGroup, tagIds: row.tagIds });
  }
  return plan;
}

/** Digests are for matching only. */
function withoutDigests(pupil: ExistingPupil | undefined): ImportRow['existing'] {
  if (!pupil) return null;
  const { digests: _, ...shown } = pupil;
  return shown;
}

/** Why the user cannot add pupils to this class; undefined if they can. */
function explainTarget(target: TargetClass, known: ExistingData, me: StaffSession): string | undefined {
  if (!target || 'newKey' in target || me.role === 'admin') return undefined;
  const schoolClass = known.classes.find(({ id }) => id === target.id);
  return schoolClass?.user_manages
    ? undefined
    : `You do not manage ${target.name}. Ask its teacher or an administrator of your school.`;
}

/** Why the user cannot move this pupil to another class; undefined if they can. */
function explainMove(pupil: NonNullable<ImportRow['existing']>, me: StaffSession): string | undefined {
  if (pupil.is_archived)
    return me.role === 'admin'
      ? undefined
      : `${pupil.name} is in the archive. Ask an administrator of your school to restore the pupil.`;
  return pupil.can_update
    ? undefined
    : `${pupil.name} is in ${pupil.group?.name ?? 'a class'}, which you do not manage. Ask an administrator of your school.`;
}

const ownKey = (pupil: Pick<ExistingPupil, 'group'>): string => (pupil.group ? String(pupil.group.id) : '');

/** The rows that repeat no earlier one. */
class SeenRows {
  readonly #byName = new Map<string, CheckedRow[]>();

  /** An earlier row with the same pupil: of the same name, with the same date of birth or, unless it differs, the same class. */
  findSame({ key, targetKey, digests }: CheckedRow): CheckedRow | undefined {
    return this.#byName
      .get(key)
      ?.find(
        (earlier) =>
          hasSameBirth(earlier.digests, digests) ||
          (earlier.targetKey === targetKey && !hasOtherBirth(earlier.digests, digests)),
      );
  }

  add(checkedRow: CheckedRow): void {
    const same = this.#byName.get(checkedRow.key);
    if (same) same.push(checkedRow);
    else this.#byName.set(checkedRow.key, [checkedRow]);
  }
}

/** Matches rows with existing pupils, archived ones last. A pupil matches one row. */
function matchPupils(
  checked: readonly CheckedRow[],
  known: ExistingData,
  byName: ReadonlyMap<string, ExistingPupil[]>,
): Map<number, ExistingPupil> {
  const byUpn = new Map(known.pupils.flatMap((pupil) => pupil.digests.upns.map((upn) => [upn, pupil] as const)));
  const matches = new Map<number, ExistingPupil>();
  const taken = new Set<number>();
  const repeated = new Set<number>();
  const seen = new SeenRows();
  for (const [index, checkedRow] of checked.entries())
    if (seen.findSame(checkedRow)) repeated.add(index);
    else seen.add(checkedRow);
  const pass = (
    candidatesOf: (checkedRow: CheckedRow) => readonly ExistingPupil[],
    fits: (pupil: ExistingPupil, checkedRow: CheckedRow) => boolean,
  ) => {
    for (const [index, checkedRow] of checked.entries()) {
      if (checkedRow.wrong || repeated.has(index) || checkedRow.row.namesake || matches.has(index)) continue;
      const pupil = candidatesOf(checkedRow).find(
        (candidate) => !taken.has(candidate.id) && fits(candidate, checkedRow),
      );
      if (!pupil) continue;
      matches.set(index, pupil);
      taken.add(pupil.id);
    }
  };
  const byId = new Map(known.pupils.map((pupil) => [pupil.id, pupil]));
  const ofId = ({ row }: CheckedRow) => [byId.get(row.existingId ?? 0)].flatMap((pupil) => pupil ?? []);
  const ofUpn = ({ digests }: CheckedRow) => digests.upns.flatMap((upn) => byUpn.get(upn) ?? []);
  const ofName = ({ key }: CheckedRow) => byName.get(key) ?? [];
  pass(ofId, (pupil, { key, digests }) => nameKey(pupil.name) === key || hasSameUpn(pupil.digests, digests));
  pass(ofUpn, (pupil, { digests }) => !pupil.is_archived && hasSameUpn(pupil.digests, digests));
  pass(ofName, (pupil, { digests }) => !pupil.is_archived && hasSameBirth(pupil.digests, digests));
  pass(
    ofName,
    (pupil, { targetKey, digests }) =>
      !pupil.is_archived && ownKey(pupil) === targetKey && !hasOtherBirth(pupil.digests, digests),
  );
  pass(ofName, (pupil, { digests }) => !pupil.is_archived && !hasOtherBirth(pupil.digests, digests));
  pass(ofName, (pupil, { digests }) => !hasOtherBirth(pupil.digests, digests));
  return matches;
}

/** Returns a function that checks a row's name and class, independently of other rows. */
function createRowChecker(
  known: ExistingData,
  chosen: { id: number; name: string } | undefined,
  today: string,
): (row: ImportedRow) => CheckedRow {
  const byId = new Map(known.classes.map((schoolClass) => [schoolClass.id, schoolClass]));
  const byKey = new Map(known.classes.map((schoolClass) => [classKey(schoolClass.name), schoolClass]));
  const targets = new Map<string, { target: TargetClass; wrong?: string }>();
  const findTarget = (text: string): { target: TargetClass; wrong?: string } => {
    if (NO_CLASS.test(text.trim())) return { target: null };
    const parsed = className.safeParse(text);
    if (!parsed.success) return { target: null, wrong: parsed.error.issues[0]?.message ?? '' };
    if (ERROR_VALUE.test(parsed.data))
      return { target: null, wrong: 'The class is a spreadsheet error. Type the name of the class.' };
    const key = classKey(parsed.data);
    const existing = byKey.get(key);
    // An existing class can have such a name, and then the portal's own export contains it.
    if (!existing && FORMULA.test(parsed.data))
      return { target: null, wrong: 'The class looks like a formula. Type the name of the class.' };
    if (!existing && looksPersonal(parsed.data, today))
      return { target: null, wrong: 'The class looks like a date of birth or a UPN. Type the name of the class.' };
    return { target: existing ? { id: existing.id, name: existing.name } : { newKey: key } };
  };
  return (row) => {
    const parsed = pupilName.safeParse(row.name);
    const name = parsed.success ? parsed.data : row.name;
    const text = row.class?.trim() ?? '';
    let found: { target: TargetClass; wrong?: string } = { target: null };
    if (chosen) found = { target: chosen };
    else if (row.classId !== null) {
      const existing = byId.get(row.classId);
      found = existing
        ? { target: { id: existing.id, name: existing.name } }
        : { target: null, wrong: 'We could not find this class in your school.' };
    } else if (text) {
      found = targets.get(text) ?? findTarget(text);
      targets.set(text, found);
    }
    const { target } = found;
    const base = {
      row,
      name,
      key: parsed.success ? nameKey(parsed.data) : '',
      target,
      targetKey: target === null ? '' : 'newKey' in target ? `new ${target.newKey}` : String(target.id),
      digests: parseMatch(row.match),
      label: target && 'name' in target ? target.name : text && !NO_CLASS.test(text) ? text : null,
    };
    if (!parsed.success)
      return { ...base, wrong: { field: 'name', text: explainName(row.name, parsed.error.issues[0]?.message ?? '') } };
    if (row.lacksForename)
      return {
        ...base,
        wrong: { field: 'name', text: 'There is no first name in this row. Is this the whole name?' },
      };
    return found.wrong ? { ...base, wrong: { field: 'class', text: found.wrong } } : base;
  };
}

function explainName(name: string, text: string): string {
  if (name.trim() === '') return 'There is no name in this row.';
  return FORMULA.test(name) ? 'This looks like a formula, not a name. Type the name itself.' : text;
}
