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
  /** By the ID of a member of staff. Someone without an answer is decided later. */
  missingStaff: ReadonlyMap<number, 'remove' | 'keep'>;
  isConfirmed: boolean;
}

export const NO_CHOICES: Choices = {
  leavers: new Set(),
  leftOut: new Set(),
  merges: new Map(),
  classes: new Map(),
  invites: new Set(),
  missingStaff: new Map(),
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

const staffWith = ({ missingStaff }: Choices, wanted: 'remove' | 'keep'): number[] =>
  [...missingStaff].flatMap(([id, answer]) => (answer === wanted ? [id] : []));

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
  removed_staff: staffWith(choices, 'remove'),
  kept_staff: staffWith(choices, 'keep'),
  is_confirmed: choices.isConfirmed,
});

/** How many changes applying the plan makes. A recognised pupil counts for a new name and for a new class. */
export function countChanges(plan: SchoolRecordsPlan, choices: Choices): number {
  const { merges, leftOut, leavers, invites } = choices;
  const isAdded = ({ source_id: id }: { source_id: string }) => merges.get(id) === 'new';
  const isSame = ({ source_id: id }: { source_id: string }) => Number(merges.get(id)) > 0;
  const joining = plan.joiners.filter(({ source_id: id }) => !leftOut.has(id));
  const added = [...plan.recognised, ...plan.questions].filter(isAdded);
  const merged = plan.questions.flatMap((row) => {
    const same = row.candidates.find(({ id }) => String(id) === merges.get(row.source_id));
    return same
      ? [{ ...row, isRenamed: same.name !== row.name, isMoved: row.class !== null && same.class !== row.class }]
      : [];
  });
  const renamed = [...plan.names.filter((row) => !isAdded(row)), ...merged.filter(({ isRenamed }) => isRenamed)];
  const moved = [...plan.movers.filter((row) => !isAdded(row)), ...merged.filter(({ isMoved }) => isMoved)];
  // Another pupil with a choice of classes joins with the class, which is one change.
  const placed = plan.choices.filter(
    (row) => choices.classes.get(row.source_id) && !isAdded(row) && (row.pupil !== null || isSame(row)),
  );
  // A new class is created only for pupils who get into it.
  const used = new Set([...joining, ...added, ...plan.returners, ...moved].map((row) => row.class));
  const classes = plan.classes.filter(({ name, from }) => from !== null || used.has(name));
  const parts = [joining, added, plan.returners, renamed, moved, placed, classes];
  return parts.reduce(
    (sum, part) => sum + part.length,
    leavers.size + invites.size + staffWith(choices, 'remove').length,
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
