import type { SchoolRecordsPlan, SchoolRecordsRow } from '#contract/calls/school-records.ts';
import { pupilName } from '#contract/fields.ts';
import { isLastPrimaryYear } from '#contract/year-group.ts';
import type { StagedPupil } from '../../../database/column-types.ts';
import { emailKey } from '../../accounts/access/access.public.ts';
import type { PupilLink } from '../runs/runs.public.ts';
import { type PlannedClasses, planClasses } from './classes.service.ts';
import { sameChildFinder } from './same-child.service.ts';
import {
  type ClassTarget,
  NO_ANSWERS,
  type PlannedLink,
  type PlannedChanges,
  type SchoolRecords,
  type PlanAnswers,
  type SchoolState,
} from './state.service.ts';

/** A plan is on hold from this many leavers, and a larger share of the source's pupils than this. */
const ON_HOLD_MIN_LEAVERS = 5;
const ON_HOLD_LEAVING_SHARE = 0.1;
const ON_HOLD_CHANGED_SHARE = 0.75;

/**
 * Compares a source's records with the school. Pupils of other sources are left alone, a field edited in the portal
 * stays, and a pupil who is missing from complete records is only a candidate for leaving.
 */
export function planChanges(records: SchoolRecords, state: SchoolState, answers: PlanAnswers): PlannedChanges {
  const result: PlannedChanges = {
    plan: {
      classes: [],
      joiners: [],
      returners: [],
      movers: [],
      names: [],
      leavers: [],
      differences: [],
      recognised: [],
      questions: [],
      choices: [],
      elsewhere: [],
      rejected: [],
      staff: records.staff.filter(({ email }) => !state.staffEmails.has(email.toLowerCase())),
      missing_staff: findMissingStaff(records, state),
      on_hold: null,
    },
    newClasses: new Map(),
    renames: [],
    classLinks: [],
    joiners: [],
    returners: [],
    moves: [],
    nameChanges: [],
    yearGroups: [],
    links: [],
  };
  const classes = planClasses(records, state, result);
  planPupils(records, state, answers, classes, result);
  planLeavers(records, state, result);
  result.plan.on_hold = findOnHoldReason(state, result.plan);
  return result;
}

const isSame = (target: ClassTarget, classId: number | null) => 'id' in target && target.id === classId;

function planPupils(
  records: SchoolRecords,
  state: SchoolState,
  answers: PlanAnswers,
  classes: PlannedClasses,
  result: PlannedChanges,
): void {
  const { plan } = result;
  const pupils = new Map(state.pupils.map((pupil) => [pupil.id, pupil]));
  const links = new Map(state.links.map((link) => [link.sourceId, link]));
  // Without the answers, so that the admin’s choice of a class does not change who is recognised.
  const findSameChild = sameChildFinder(records, state, (row) => chooseClass(row, null, NO_ANSWERS, classes));
  for (const row of records.pupils) {
    if (row.isGone) continue;
    const parsed = row.name === null ? undefined : pupilName.safeParse(row.name);
    if (parsed && !parsed.success) {
      plan.rejected.push({ name: row.name ?? '', reason: parsed.error.issues[0]?.message ?? '' });
      continue;
    }
    const known = links.get(row.sourceId);
    const pupil = known && pupils.get(known.pupilId);
    const wanted = chooseClass(row, pupil?.classId ?? null, answers, classes);
    const name = parsed?.data ?? pupil?.name;
    if (name === undefined) continue;
    const shown: SchoolRecordsRow = { source_id: row.sourceId, pupil: pupil?.id ?? null, name, class: wanted.name };
    const values = {
      sourceId: row.sourceId,
      yearGroup: row.yearGroup,
      upn: row.upn,
      birth: row.birth,
      hasLeft: false,
    };
    if (known && pupil) {
      planKnown({ known, pupil, row, name, wanted, shown, classes, result });
      continue;
    }
    const { isElsewhere, recognised, candidates } = findSameChild(row);
    const answer = answers.merges.get(row.sourceId);
    const same = answer === 'new' ? undefined : (recognised ?? candidates.find(({ id }) => id === answer));
    if (isElsewhere) plan.elsewhere.push(shown);
    else if (same) {
      if (recognised) plan.recognised.push({ ...shown, pupil: same.id, class: classes.nameOf(same.classId) });
      // What the pupil has counts as applied, so that the source's values follow.
      const applied = {
        ...values,
        pupilId: same.id,
        name: same.name,
        classId: same.classId,
        yearGroup: same.yearGroup?.code ?? null,
        hasLeft: same.isArchived,
      };
      planKnown({
        known: applied,
        pupil: same,
        row,
        name,
        wanted,
        shown: { ...shown, pupil: same.id },
        classes,
        result,
      });
    } else if (candidates.length > 0 && answer !== 'new') {
      askClass(plan, shown, wanted);
      plan.questions.push({
        ...shown,
        candidates: candidates.map(({ id, name: candidateName, classId, isArchived }) => ({
          id,
          name: candidateName,
          class: classes.nameOf(classId),
          is_archived: isArchived,
        })),
      });
    } else if (!answers.leftOut.has(row.sourceId)) {
      askClass(plan, shown, wanted);
      if (wanted.target) classes.use(wanted.target);
      plan.joiners.push(shown);
      result.joiners.push({ sourceId: row.sourceId, name, target: wanted.target, yearGroup: row.yearGroup });
      result.links.push({ ...values, pupilId: null, name, classId: null, target: wanted.target });
    }
  }
}

const askClass = (plan: SchoolRecordsPlan, row: SchoolRecordsRow, { options }: ClassChoice): void => {
  if (options) plan.choices.push({ ...row, classes: options });
};

interface KnownPupil {
  known: PupilLink;
  pupil: SchoolState['pupils'][number];
  row: StagedPupil;
  name: string;
  wanted: ClassChoice;
  shown: SchoolRecordsRow;
  classes: PlannedClasses;
  result: PlannedChanges;
}

/** Plans the changes of a pupil with a link. */
function planKnown({ known, pupil, row, name, wanted, shown, classes, result }: KnownPupil): void {
  const { plan } = result;
  const { target, options } = wanted;
  const here = classes.nameOf(pupil.classId);
  const link: PlannedLink = {
    ...known,
    upn: row.upn ?? known.upn,
    birth: row.birth ?? known.birth,
    target: undefined,
  };
  const differ = (field: 'name' | 'class' | 'archived', ours: string | null, theirs: string | null) =>
    plan.differences.push({ pupil: pupil.id, name: pupil.name, field, here: ours, there: theirs });
  if (pupil.isArchived && !known.hasLeft) {
    differ('archived', null, null);
    return;
  }
  result.links.push(link);
  link.hasLeft = false;
  const yearGroup = pupil.yearGroup?.code ?? null;
  if (row.yearGroup !== null && (yearGroup === known.yearGroup || yearGroup === row.yearGroup)) {
    link.yearGroup = row.yearGroup;
    result.yearGroups.push({ pupilId: pupil.id, yearGroup: row.yearGroup });
  }
  if (pupil.name === name) link.name = name;
  else if (pupil.name !== known.name) differ('name', pupil.name, name);
  else {
    link.name = name;
    result.nameChanges.push({ pupilId: pupil.id, name });
    plan.names.push({ ...shown, from: pupil.name });
  }
  if (pupil.isArchived) {
    askClass(plan, shown, wanted);
    if (target) classes.use(target);
    link.target = target;
    // Without a target the pupil returns without a class, which counts as applied.
    link.classId = null;
    result.returners.push({ pupilId: pupil.id, target });
    plan.returners.push(shown);
  } else if (target && isSame(target, pupil.classId)) link.target = target;
  else if ((target || options) && pupil.classId !== known.classId)
    differ('class', here, options?.map((option) => option.name).join(' or ') ?? shown.class);
  else if (options) askClass(plan, { ...shown, class: here }, wanted);
  else if (target) {
    classes.use(target);
    link.target = target;
    result.moves.push({ pupilId: pupil.id, target });
    plan.movers.push({ ...shown, from: here });
  }
}

interface ClassChoice {
  target: ClassTarget | undefined;
  name: string | null;
  /** The classes among which the admin chooses. */
  options?: { source_id: string; name: string }[];
}

/** A pupil's class: the one homeroom, else the only class, else the admin’s choice. Without a class the pupil stays. */
function chooseClass(
  row: StagedPupil,
  current: number | null,
  answers: PlanAnswers,
  classes: PlannedClasses,
): ClassChoice {
  const offered = row.classIds.flatMap((sourceId) => {
    const found = classes.findTarget(sourceId);
    return found ? [{ ...found, sourceId }] : [];
  });
  const homerooms = offered.filter(({ isHomeroom }) => isHomeroom);
  // Two classes of a source may be one class of the school.
  const options = [
    ...new Map(
      (homerooms.length > 0 ? homerooms : offered).map((option) => [JSON.stringify(option.target), option]),
    ).values(),
  ];
  const answer = answers.classes.get(row.sourceId);
  const chosen =
    options.length > 1
      ? (options.find(({ target }) => isSame(target, current)) ?? options.find(({ sourceId }) => sourceId === answer))
      : options[0];
  if (chosen) return { target: chosen.target, name: chosen.name };
  if (options.length === 0) return { target: undefined, name: null };
  return {
    target: undefined,
    name: null,
    options: options.map(({ sourceId, name }) => ({ source_id: sourceId, name })),
  };
}

/** Lists the pupils of the source who are missing from complete records, or whom it marks as gone. */
function planLeavers(records: SchoolRecords, state: SchoolState, { plan, links }: PlannedChanges): void {
  const pupils = new Map(state.pupils.map((pupil) => [pupil.id, pupil]));
  const names = new Map(state.classes.map(({ id, name }) => [id, name]));
  const rows = new Map(records.pupils.map((row) => [row.sourceId, row]));
  const attached = new Set(links.map(({ pupilId }) => pupilId));
  const questioned = new Set(plan.questions.flatMap(({ candidates }) => candidates.map(({ id }) => id)));
  for (const link of state.links) {
    const pupil = pupils.get(link.pupilId);
    const row = rows.get(link.sourceId);
    const isGone = row ? row.isGone : records.isComplete;
    if (!pupil || pupil.isArchived || !isGone || attached.has(pupil.id) || questioned.has(pupil.id)) continue;
    plan.leavers.push({
      source_id: link.sourceId,
      pupil: pupil.id,
      name: pupil.name,
      class: names.get(pupil.classId ?? 0) ?? null,
      is_expected: state.isLeavingSeason && isLastPrimaryYear(link.yearGroup),
    });
  }
}

/** The staff whom the source named and no longer names. The only admin is never among them. */
function findMissingStaff(records: SchoolRecords, { staff }: SchoolState): SchoolRecordsPlan['missing_staff'] {
  if (records.unclearStaff === null) return [];
  const named = new Set([...records.staff.map(({ email }) => email), ...records.unclearStaff].map(emailKey));
  const isOnlyAdmin = staff.filter(({ role }) => role === 'admin').length === 1;
  return staff
    .filter(
      ({ role, email, isExpected }) => isExpected && !named.has(emailKey(email)) && !(isOnlyAdmin && role === 'admin'),
    )
    .map(({ id, name }) => ({ user: id, name }));
}

/** Why a plan is on hold until an admin confirms it; null when it is not. */
function findOnHoldReason(
  state: SchoolState,
  { leavers, movers, names }: SchoolRecordsPlan,
): SchoolRecordsPlan['on_hold'] {
  const archived = new Set(state.pupils.filter(({ isArchived }) => isArchived).map(({ id }) => id));
  const total = state.links.filter(({ pupilId }) => !archived.has(pupilId)).length;
  const leaving = leavers.filter(({ is_expected }) => !is_expected);
  if (leaving.length >= ON_HOLD_MIN_LEAVERS && leaving.length > total * ON_HOLD_LEAVING_SHARE)
    return { reason: 'leaving', pupils: leaving.length, total };
  const linked = new Set(state.links.map(({ pupilId }) => pupilId));
  // Pupils who were recognised are new to the source.
  const changing = [...leaving, ...movers, ...names].filter(({ pupil }) => linked.has(pupil ?? 0));
  const changed = new Set(changing.map(({ pupil }) => pupil)).size;
  return changed > total * ON_HOLD_CHANGED_SHARE ? { reason: 'changed', pupils: changed, total } : null;
}
