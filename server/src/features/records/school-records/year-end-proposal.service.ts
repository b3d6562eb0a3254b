import type { YearEndRecords } from '#contract/calls/year-end.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { classKey } from '../../school/classes/classes.public.ts';
import { planChanges } from './plan.service.ts';
import { getOpenRun, readSchool } from './runs.service.ts';
import { findPlannedRun, findRunAppliedSince } from './school-records.queries.ts';
import { type ClassTarget, NO_ANSWERS, type PlannedChanges, type SchoolState } from './state.service.ts';

type Proposal = Extract<YearEndRecords, { state: 'planned' }>['classes'][number];

/** Where most pupils of a class go: the name of a class, or null when they leave. */
interface Destination {
  name: string | null;
  pupils: number;
}

/**
 * What a year end can do with each class, so that the records have the fewest pupils left to move. A name is proposed
 * once, to the class from which most pupils go there. Classes of which the records know less than half are left out, and
 * records in which most classes stay are those of the current year: they propose nothing.
 */
export function proposeYearEnd(state: SchoolState, planned: PlannedChanges): Proposal[] {
  const goals = readGoals(state, planned);
  const members = Map.groupBy(state.pupils, ({ classId }) => classId);
  const classes = state.classes
    .toSorted((a, b) => a.id - b.id)
    .flatMap(({ id, name }) => {
      const pupils = members.get(id) ?? [];
      const known = pupils.flatMap((pupil) => goals.get(pupil.id) ?? []);
      return known.length === 0 || known.length * 2 < pupils.length
        ? []
        : [{ id, name, goal: findCommonGoal(known, pupils.length) }];
    });
  const owners = new Map<string, { id: number; pupils: number }>();
  for (const { id, goal } of classes) {
    if (!goal || goal.name === null) continue;
    const key = classKey(goal.name);
    if (goal.pupils > (owners.get(key)?.pupils ?? 0)) owners.set(key, { id, pupils: goal.pupils });
  }
  const proposals = classes.map(({ id, name, goal }): Proposal => {
    const proposal = { group_id: id, name: goal?.name ?? null, pupils: goal?.pupils ?? 0 };
    if (!goal) return { ...proposal, step: 'splits' };
    if (goal.name === null) return { ...proposal, step: 'leaves' };
    if (owners.get(classKey(goal.name))?.id !== id) return { ...proposal, step: 'joins' };
    return { ...proposal, step: goal.name === name ? 'stays' : 'moves_up' };
  });
  return proposals.filter(({ step }) => step === 'stays').length * 2 > proposals.length ? [] : proposals;
}

/** Where each pupil goes whom the records know: the name of a class, or null for a leaver. */
function readGoals(state: SchoolState, planned: PlannedChanges): Map<number, { name: string | null }> {
  const { plan, newClasses, moves, links } = planned;
  // The differences have the new names that another class still has. At a year end that class moves on.
  const newNames = new Map([
    ...plan.classes.map(({ from, name }) => [from, name] as const),
    ...plan.differences.flatMap(({ field, here, there }) =>
      field === 'class_name' && there !== null ? [[here, there] as const] : [],
    ),
  ]);
  const names = new Map(state.classes.map(({ id, name }) => [id, newNames.get(name) ?? name]));
  const nameOf = (target: ClassTarget) => ('id' in target ? names.get(target.id) : newClasses.get(target.newKey));
  const targets = new Map(moves.map(({ pupilId, target }) => [pupilId, nameOf(target)]));
  const leavers = new Set(plan.leavers.map(({ pupil }) => pupil));
  const stating = new Set(links.map(({ pupilId }) => pupilId));
  const undecided = new Set(
    [...plan.choices, ...plan.differences.filter(({ field }) => field === 'class')].map(({ pupil }) => pupil),
  );
  const goals = new Map<number, { name: string | null }>();
  for (const { id, classId } of state.pupils) {
    const name = targets.get(id) ?? (stating.has(id) && !undecided.has(id) ? names.get(classId ?? 0) : undefined);
    if (leavers.has(id)) goals.set(id, { name: null });
    else if (name !== undefined) goals.set(id, { name });
  }
  return goals;
}

/** What at least half of the pupils of a class do: leave, or go to the same class. */
function findCommonGoal(goals: readonly { name: string | null }[], pupils: number): Destination | undefined {
  const [most] = [...Map.groupBy(goals, ({ name }) => name).values()]
    .map(([goal, ...others]) => ({ name: goal?.name ?? null, pupils: others.length + 1 }))
    .toSorted((a, b) => b.pupils - a.pupils || Number(a.name !== null) - Number(b.name !== null));
  return most && most.pupils * 2 >= pupils ? most : undefined;
}

/**
 * What school records have for a year end: the planned run of OneRoster, or else the first one that was applied since
 * the year end.
 */
export async function readYearEndRecords(
  db: SchoolDb,
  yearEndAt: Date | undefined,
  now: Date,
): Promise<YearEndRecords | null> {
  const open = await findPlannedRun(db, now);
  if (open) {
    const { run, records } = await getOpenRun(db, open.id, now);
    const state = await readSchool(db, run.source_id, 'none', now);
    const planned = planChanges(records, state, NO_ANSWERS);
    const { joiners, returners, movers, leavers, questions, choices, staff } = planned.plan;
    return {
      state: 'planned',
      run_id: run.id,
      recognised: planned.links.filter(({ pupilId }) => pupilId !== null).length - returners.length,
      joiners: joiners.length,
      returners: returners.length,
      movers: movers.length,
      leavers: leavers.length,
      questions: questions.length + choices.length,
      staff: staff.length,
      classes: proposeYearEnd(state, planned),
    };
  }
  const applied = yearEndAt && (await findRunAppliedSince(db, yearEndAt));
  return applied?.counts ? { state: 'applied', run_id: applied.id, counts: applied.counts } : null;
}
