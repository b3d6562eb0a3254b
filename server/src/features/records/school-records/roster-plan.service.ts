import type { RosterPlan, RosterRow } from '#contract/calls/roster.ts';
import { pupilName } from '#contract/fields.ts';
import type { StagedPupil } from '../../../database/column-types.ts';
import { nameKey } from '../../school/pupils/pupils.public.ts';
import { type PlannedClasses, planClasses } from './roster-classes.service.ts';
import type {
  ClassTarget,
  PlannedLink,
  PlannedRoster,
  PupilLink,
  Roster,
  RosterAnswers,
  RosterState,
} from './roster-state.service.ts';

/** A hold needs this many leavers, and a larger share of the source's pupils than this. */
const HOLD_LEAVERS = 5;
const HOLD_LEAVING_SHARE = 0.1;
const HOLD_CHANGED_SHARE = 0.75;
const MAX_CANDIDATES = 5;
const LAST_SCHOOL_YEAR = 6;

/**
 * Compares a source's roster with the school. Pupils of other sources are left alone, a field edited in the portal
 * stays, and a pupil who is missing from a complete roster is only a candidate for leaving.
 */
export function planRoster(roster: Roster, state: RosterState, answers: RosterAnswers): PlannedRoster {
  const result: PlannedRoster = {
    plan: {
      classes: [],
      joiners: [],
      returners: [],
      movers: [],
      names: [],
      leavers: [],
      differences: [],
      questions: [],
      choices: [],
      elsewhere: [],
      rejected: [],
      staff: roster.staff.filter(({ email }) => !state.staffEmails.has(email.toLowerCase())),
      hold: null,
    },
    newClasses: new Map(),
    renames: [],
    classLinks: [],
    joiners: [],
    returners: [],
    moves: [],
    nameChanges: [],
    links: [],
  };
  const classes = planClasses(roster, state, result);
  planPupils(roster, state, answers, classes, result);
  planLeavers(roster, state, result);
  result.plan.hold = findHold(state, result.plan);
  return result;
}

const isSame = (one: ClassTarget, classId: number | null) => 'id' in one && one.id === classId;

function planPupils(
  roster: Roster,
  state: RosterState,
  answers: RosterAnswers,
  classes: PlannedClasses,
  result: PlannedRoster,
): void {
  const { plan } = result;
  const pupils = new Map(state.pupils.map((pupil) => [pupil.id, pupil]));
  const links = new Map(state.links.map((link) => [link.sourceId, link]));
  const findCandidates = candidateFinder(roster, state);
  for (const row of roster.pupils) {
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
    const shown: RosterRow = { source_id: row.sourceId, pupil: pupil?.id ?? null, name, class: wanted.name };
    const values = {
      sourceId: row.sourceId,
      schoolYear: row.schoolYear,
      upn: row.upn,
      birth: row.birth,
      hasLeft: false,
    };
    if (known && pupil) {
      planKnown({ known, pupil, row, name, wanted, shown, classes, result });
      continue;
    }
    const { isElsewhere, candidates } = findCandidates(row, name);
    const answer = answers.merges.get(row.sourceId);
    const same = candidates.find(({ id }) => id === answer);
    if (isElsewhere) plan.elsewhere.push(shown);
    else if (same) {
      // What the pupil has counts as applied, so that the source's values follow.
      const applied = { ...values, pupilId: same.id, name: same.name, classId: same.classId, hasLeft: same.isArchived };
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
        candidates: candidates.map((one) => ({
          id: one.id,
          name: one.name,
          class: classes.nameOf(one.classId),
          is_archived: one.isArchived,
        })),
      });
    } else {
      askClass(plan, shown, wanted);
      if (wanted.target) classes.use(wanted.target);
      plan.joiners.push(shown);
      result.joiners.push({ sourceId: row.sourceId, name, target: wanted.target });
      result.links.push({ ...values, pupilId: null, name, classId: null, target: wanted.target });
    }
  }
}

const askClass = (plan: RosterPlan, row: RosterRow, { options }: ChosenClass): void => {
  if (options) plan.choices.push({ ...row, classes: options });
};

interface KnownPupil {
  known: PupilLink;
  pupil: RosterState['pupils'][number];
  row: StagedPupil;
  name: string;
  wanted: ChosenClass;
  shown: RosterRow;
  classes: PlannedClasses;
  result: PlannedRoster;
}

/** Plans the changes of a pupil with a link. */
function planKnown({ known, pupil, row, name, wanted, shown, classes, result }: KnownPupil): void {
  const { plan } = result;
  const { target, options } = wanted;
  const here = classes.nameOf(pupil.classId);
  const link: PlannedLink = {
    ...known,
    schoolYear: row.schoolYear ?? known.schoolYear,
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
    differ('class', here, options?.map((one) => one.name).join(' or ') ?? shown.class);
  else if (options) askClass(plan, { ...shown, class: here }, wanted);
  else if (target) {
    classes.use(target);
    link.target = target;
    result.moves.push({ pupilId: pupil.id, target });
    plan.movers.push({ ...shown, from: here });
  }
}

interface ChosenClass {
  target: ClassTarget | undefined;
  name: string | null;
  /** The classes among which the admin chooses. */
  options?: { source_id: string; name: string }[];
}

/** A pupil's class: the one homeroom, else the only class, else the admin's choice. Without a class the pupil stays. */
function chooseClass(
  row: StagedPupil,
  current: number | null,
  answers: RosterAnswers,
  classes: PlannedClasses,
): ChosenClass {
  const offered = row.classIds.flatMap((sourceId) => {
    const found = classes.findTarget(sourceId);
    return found ? [{ ...found, sourceId }] : [];
  });
  const homerooms = offered.filter(({ isHomeroom }) => isHomeroom);
  // Two classes of a source may be one class of the school.
  const options = [
    ...new Map((homerooms.length > 0 ? homerooms : offered).map((one) => [JSON.stringify(one.target), one])).values(),
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

/**
 * Returns a function that finds the pupils who may be the same child as a row with a new source ID: those of no source,
 * or of this source under an ID that the roster no longer contains.
 */
function candidateFinder(roster: Roster, state: RosterState) {
  const present = new Set(roster.pupils.map(({ sourceId }) => sourceId));
  const linkOf = new Map(state.links.map((link) => [link.pupilId, link]));
  const others = new Map(state.otherLinks.map((link) => [link.pupilId, link]));
  const byName = Map.groupBy(state.pupils, ({ name }) => nameKey(name));
  const byId = new Map(state.pupils.map((pupil) => [pupil.id, pupil]));
  const byUpn = new Map([...state.links, ...state.otherLinks].flatMap((link) => (link.upn ? [[link.upn, link]] : [])));
  return (row: StagedPupil, name: string) => {
    const sameUpn = row.upn === null ? undefined : byUpn.get(row.upn);
    const sameName = (byName.get(nameKey(name)) ?? []).filter(({ id }) => {
      const birth = (linkOf.get(id) ?? others.get(id))?.birth ?? null;
      return birth === null || row.birth === null || birth === row.birth;
    });
    const found = [...new Set([sameUpn && byId.get(sameUpn.pupilId), ...sameName])].filter((one) => one !== undefined);
    return {
      isElsewhere: found.some(({ id }) => others.has(id)),
      candidates: found.filter(({ id }) => !present.has(linkOf.get(id)?.sourceId ?? '')).slice(0, MAX_CANDIDATES),
    };
  };
}

/** Lists the pupils of the source who are missing from a complete roster, or whom it marks as gone. */
function planLeavers(roster: Roster, state: RosterState, { plan, links }: PlannedRoster): void {
  const pupils = new Map(state.pupils.map((pupil) => [pupil.id, pupil]));
  const names = new Map(state.classes.map(({ id, name }) => [id, name]));
  const rows = new Map(roster.pupils.map((row) => [row.sourceId, row]));
  const attached = new Set(links.map(({ pupilId }) => pupilId));
  const questioned = new Set(plan.questions.flatMap(({ candidates }) => candidates.map(({ id }) => id)));
  for (const link of state.links) {
    const pupil = pupils.get(link.pupilId);
    const row = rows.get(link.sourceId);
    const isGone = row ? row.isGone : roster.isComplete;
    if (!pupil || pupil.isArchived || !isGone || attached.has(pupil.id) || questioned.has(pupil.id)) continue;
    plan.leavers.push({
      source_id: link.sourceId,
      pupil: pupil.id,
      name: pupil.name,
      class: names.get(pupil.classId ?? 0) ?? null,
      is_expected: state.isLeavingSeason && (link.schoolYear ?? 0) >= LAST_SCHOOL_YEAR,
    });
  }
}

/** A reason why the run waits for an admin's confirmation. */
function findHold(state: RosterState, { leavers, movers, names }: RosterPlan): RosterPlan['hold'] {
  const archived = new Set(state.pupils.filter(({ isArchived }) => isArchived).map(({ id }) => id));
  const total = state.links.filter(({ pupilId }) => !archived.has(pupilId)).length;
  const leaving = leavers.filter(({ is_expected }) => !is_expected);
  if (leaving.length >= HOLD_LEAVERS && leaving.length > total * HOLD_LEAVING_SHARE)
    return { reason: 'leaving', pupils: leaving.length, total };
  const changed = new Set([...leaving, ...movers, ...names].map(({ pupil }) => pupil)).size;
  return changed > total * HOLD_CHANGED_SHARE ? { reason: 'changed', pupils: changed, total } : null;
}
