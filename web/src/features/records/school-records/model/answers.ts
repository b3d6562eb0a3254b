import type { SchoolRecordsAnswers, SchoolRecordsPlan } from '#contract/calls/school-records.ts';

/** What the admin has chosen on the page. */
export interface Choices {
  leavers: ReadonlySet<number>;
  /** The source IDs of joiners who are not added. */
  leftOut: ReadonlySet<string>;
  /** By source ID: a pupil's ID, or `new`. */
  merges: ReadonlyMap<string, string>;
  /** By the pupil's source ID: the class's. */
  classes: ReadonlyMap<string, string>;
  invites: ReadonlySet<string>;
  isConfirmed: boolean;
}

export const NO_CHOICES: Choices = {
  leavers: new Set(),
  leftOut: new Set(),
  merges: new Map(),
  classes: new Map(),
  invites: new Set(),
  isConfirmed: false,
};

/** The answers `same` for every question, each with the first pupil who is not taken. */
export function answerAllSame(questions: SchoolRecordsPlan['questions']): Map<string, string> {
  const taken = new Set<number>();
  return new Map(
    questions.map(({ source_id, candidates }) => {
      const same = candidates.find(({ id }) => !taken.has(id));
      if (same) taken.add(same.id);
      return [source_id, same ? String(same.id) : ''];
    }),
  );
}

/** The body of the call that applies a plan. */
export const toAnswers = (version: string, choices: Choices): SchoolRecordsAnswers => ({
  version,
  leavers: [...choices.leavers],
  left_out: [...choices.leftOut],
  merges: [...choices.merges].flatMap(([source_id, answer]) =>
    answer === '' ? [] : [{ source_id, pupil: answer === 'new' ? null : Number(answer) }],
  ),
  classes: [...choices.classes].flatMap(([source_id, chosen]) => (chosen === '' ? [] : [{ source_id, class: chosen }])),
  invites: [...choices.invites],
  is_confirmed: choices.isConfirmed,
});

/** How many changes applying the plan makes. A pupil who is recognised is none, but their new class is one. */
export function countChanges(
  { joiners, returners, movers, names, classes, questions }: SchoolRecordsPlan,
  { merges, leftOut, leavers, invites, classes: chosenClasses }: Choices,
): number {
  const isAdded = ({ source_id: id }: { source_id: string }) => merges.get(id) === 'new';
  const added = [...merges.values()].filter((answer) => answer === 'new').length;
  const changed = [...movers, ...names].filter((row) => !isAdded(row));
  const merged = questions.reduce((sum, { source_id: id, candidates, name, class: to }) => {
    const same = candidates.find((candidate) => String(candidate.id) === merges.get(id));
    return same ? sum + Number(same.name !== name) + Number(to !== null && same.class !== to) : sum;
  }, 0);
  const joining = joiners.filter(({ source_id: id }) => !leftOut.has(id));
  // A new class in which no one would be is not created.
  const inUse = new Set([...joining, ...returners, ...movers, ...questions].map((row) => row.class));
  const usedClasses = classes.filter(({ name, from }) => from !== null || inUse.has(name));
  const chosen = [...chosenClasses.values()].filter((answer) => answer !== '').length;
  return (
    joining.length +
    returners.length +
    changed.length +
    usedClasses.length +
    added +
    merged +
    chosen +
    leavers.size +
    invites.size
  );
}

/** How many pupils applying the plan adds or brings back. */
export const countAdded = ({ joiners, returners }: SchoolRecordsPlan, { merges, leftOut }: Choices): number =>
  joiners.length - leftOut.size + returners.length + [...merges.values()].filter((answer) => answer === 'new').length;

/** A copy of the set with or without values. */
export function toggled<T>(set: ReadonlySet<T>, values: readonly T[], isIn: boolean): Set<T> {
  const next = new Set(set);
  for (const value of values)
    if (isIn) next.add(value);
    else next.delete(value);
  return next;
}
