import type { RunChanges } from '#contract/calls/runs.ts';
import { findYearGroupChange } from '#contract/year-group.ts';
import { dayIn } from '../../../clock.ts';
import { inIds } from '../../../database/in-ids.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { comparePupil } from './record-run.service.ts';
import { listChanges, type RunRow } from './runs.queries.ts';
import { readClasses } from './snapshot.queries.ts';

/** The pupils by name. */
const listNames = (db: SchoolDb, pupilIds: readonly number[]) =>
  db.tx
    .selectFrom('pupils')
    .select(['id', 'name', 'archived_at'])
    .where('school_id', '=', db.schoolId)
    .where(inIds('id', pupilIds))
    .orderBy('name_key')
    .orderBy('id')
    .execute();

/** What an applied run changed, with the pupils and classes as they are called now. */
export async function readChanges(db: SchoolDb, run: RunRow): Promise<RunChanges> {
  const { changedPupils, changedClasses } = await listChanges(db, run.id);
  const classNames = new Map([
    ...changedClasses.map(({ id, before, after }) => [id, (after ?? before)?.name ?? null] as const),
    ...(await readClasses(db, 'none')).map(({ id, name }) => [id, name] as const),
  ]);
  const toClass = (id: number | null) => (id === null ? null : { id, name: classNames.get(id) ?? null });
  const day = dayIn('Europe/London', run.closed_at ?? run.created_at);
  const changes: RunChanges = {
    joiners: [],
    returners: [],
    leavers: [],
    movers: [],
    names: [],
    year_groups: [],
    recognised: [],
    classes: changedClasses.flatMap(({ id, before, after }) =>
      before?.name === after?.name ? [] : [{ id, from: before?.name ?? null, to: after?.name ?? null }],
    ),
  };
  const changeOf = new Map(changedPupils.map(({ id, ...change }) => [id, change]));
  for (const { id, name, archived_at } of await listNames(db, [...changeOf.keys()])) {
    const change = changeOf.get(id);
    if (!change) continue;
    const { before, after } = change;
    const pupil = { id, name, is_archived: archived_at !== null };
    if (before === null) {
      changes.joiners.push({ ...pupil, class: toClass(after.classId) });
      continue;
    }
    const { links: hasOtherLink, ...differences } = comparePupil(change, day);
    if (differences.returners) changes.returners.push({ ...pupil, class: toClass(after.classId) });
    if (differences.leavers) changes.leavers.push({ ...pupil, class: toClass(before.classId) });
    if (differences.movers)
      changes.movers.push({ ...pupil, from: toClass(before.classId), to: toClass(after.classId) });
    if (differences.names) changes.names.push({ ...pupil, from: before.name, to: after.name });
    const years = findYearGroupChange(before.yearGroup, after.yearGroup, day);
    if (years) changes.year_groups.push({ ...pupil, ...years });
    const isNewLink = hasOtherLink && after.link !== null && before.link?.sourceId !== after.link.sourceId;
    if (isNewLink && !Object.values(differences).includes(true)) changes.recognised.push(pupil);
  }
  return changes;
}
