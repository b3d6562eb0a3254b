import type { Class } from '#contract/calls/school.ts';
import type { YearEndRecords, YearEndStep } from '#contract/calls/year-end.ts';
import { findYear } from '#contract/year-group.ts';

/** The user's plan for a class. */
export interface ClassPlan {
  step: 'moves_up' | 'leaves' | 'stays';
  name: string;
  /** ID of the teacher, as text; empty for none. */
  teacher: string;
}

/** What the school records propose for a class. */
export type Proposal = Extract<YearEndRecords, { state: 'planned' }>['classes'][number];

const isSameName = (name: string, other: string) => name.toLowerCase() === other.toLowerCase();

/**
 * The plan suggested by the school records, or else by the name of the class, unless they have that name for another
 * one. Its teacher stays with it unless the user changes that.
 */
export function buildInitialPlan(
  { id, name, manager_id }: Pick<Class, 'id' | 'name' | 'manager_id'>,
  proposals: readonly Proposal[] = [],
): ClassPlan {
  const teacher = manager_id === null ? '' : String(manager_id);
  const proposal = proposals.find(({ group_id: classId }) => classId === id);
  if (proposal?.step === 'leaves' || proposal?.step === 'stays') return { step: proposal.step, name, teacher };
  if (proposal?.step === 'moves_up') return { step: 'moves_up', name: proposal.name ?? name, teacher };
  // The records know pupils of a class with a proposal, and they are not leaving.
  if (isLastYear(name)) return { step: proposal ? 'stays' : 'leaves', name, teacher };
  const next = nextName(name);
  const isTaken = (wanted: string) =>
    proposals.some((other) => ['moves_up', 'stays'].includes(other.step) && isSameName(other.name ?? '', wanted));
  return next === null || isTaken(next) ? { step: 'stays', name, teacher } : { step: 'moves_up', name: next, teacher };
}

/** The steps for the call. Classes that stay as they are have none. */
export const stepsOf = (
  classes: readonly Pick<Class, 'id' | 'name'>[],
  plans: ReadonlyMap<number, ClassPlan>,
): YearEndStep[] =>
  classes.flatMap(({ id, name }): YearEndStep[] => {
    const plan = plans.get(id);
    if (!plan || plan.step === 'stays') return [];
    if (plan.step === 'leaves') return [{ step: 'leaves', group_id: id, from: name }];
    return [
      {
        step: 'moves_up',
        group_id: id,
        from: name,
        name: plan.name.trim(),
        manager_id: plan.teacher === '' ? null : Number(plan.teacher),
      },
    ];
  });

/** Errors in the future names of classes, by class. */
export function nameProblems(
  classes: readonly Pick<Class, 'id' | 'name'>[],
  plans: ReadonlyMap<number, ClassPlan>,
): Map<number, string> {
  const problems = new Map<number, string>();
  const seen = new Map<string, number>();
  for (const { id, name } of classes) {
    const plan = plans.get(id);
    if (!plan || plan.step === 'leaves') continue;
    const after = plan.step === 'moves_up' ? plan.name.trim() : name;
    if (after === '') problems.set(id, 'Enter a name for the class.');
    const key = after.toLowerCase();
    const first = seen.get(key);
    if (first === undefined) seen.set(key, id);
    else if (after !== '') {
      // Reported at the class whose name can be changed.
      const at = plan.step === 'moves_up' ? id : first;
      problems.set(at, `Two classes would be called ${after}.`);
    }
  }
  return problems;
}

/** The last year of a primary school, whose pupils leave. */
const LAST_YEAR = 6;

/**
 * The name of the class in the next year group: `Year 3 Wrens` becomes `Year 4 Wrens`, `RB` `1B`. Null if the name
 * has no year.
 */
export function nextName(name: string): string | null {
  const found = findYear(name);
  if (!found) return null;
  const { text, year } = found;
  const next =
    year === -1 ? 'Reception' : year === 0 ? (text.length > 1 ? 'Year 1' : '1') : text.replace(/\d+/, String(year + 1));
  return name.replace(text, next);
}

/** Whether the class is in the last year. */
export const isLastYear = (name: string): boolean => (findYear(name)?.year ?? -1) >= LAST_YEAR;
