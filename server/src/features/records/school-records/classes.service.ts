import { className } from '#contract/fields.ts';
import { classKey } from '../../school/classes/classes.public.ts';
import type { ClassLink } from '../runs/runs.public.ts';
import type { ClassTarget, PlannedChanges, SchoolRecords, SchoolState } from './state.service.ts';

export interface PlannedClasses {
  /** Returns the target of a class of the source; undefined for an unknown or rejected one. */
  findTarget: (sourceId: string) => { target: ClassTarget; name: string; isHomeroom: boolean } | undefined;
  /** Marks a class as needed, so that it is created. */
  use: (target: ClassTarget) => void;
  nameOf: (classId: number | null) => string | null;
}

/** Plans which classes are created and renamed, and finds the class of the school for each of the source. */
export function planClasses(records: SchoolRecords, state: SchoolState, result: PlannedChanges): PlannedClasses {
  const { plan } = result;
  const classes = new Map(state.classes.map((schoolClass) => [schoolClass.id, schoolClass]));
  const currentLinks = findCurrentLinks(records, state);
  const links = new Map(currentLinks.map((link) => [link.sourceId, link]));
  const valid = records.classes.flatMap((schoolClass) => {
    const parsed = className.safeParse(schoolClass.name);
    if (parsed.success) return [{ ...schoolClass, name: parsed.data, link: links.get(schoolClass.sourceId) }];
    plan.rejected.push({ name: schoolClass.name, reason: parsed.error.issues[0]?.message ?? '' });
    return [];
  });
  const renames = new Map<number, string>();
  for (const { name, link } of valid) {
    const current = link && classes.get(link.classId);
    if (!current || current.name === name || link.name === name) continue;
    if (current.name === link.name) renames.set(current.id, name);
    else
      plan.differences.push({ pupil: null, name: current.name, field: 'class_name', here: current.name, there: name });
  }
  for (let clash = findClash(state, renames); clash !== undefined; clash = findClash(state, renames)) {
    const name = classes.get(clash)?.name ?? '';
    plan.differences.push({ pupil: null, name, field: 'class_name', here: name, there: renames.get(clash) ?? '' });
    renames.delete(clash);
  }
  for (const [id, name] of renames) {
    result.renames.push({ id, name });
    plan.classes.push({ name, from: classes.get(id)?.name ?? null });
  }
  const nameOf = (id: number | null) => (id === null ? null : (renames.get(id) ?? classes.get(id)?.name ?? null));
  const byKey = new Map(state.classes.map(({ id }) => [classKey(nameOf(id) ?? ''), id]));
  const taken = new Set([...state.otherClassIds, ...currentLinks.map(({ classId }) => classId)]);
  const targets = new Map<string, { target: ClassTarget; name: string; isHomeroom: boolean }>();
  const pending = new Map<string, string>();
  for (const { sourceId, name, isHomeroom, link } of valid) {
    const key = classKey(name);
    const id = link && classes.has(link.classId) ? link.classId : byKey.get(key);
    if (id !== undefined) {
      targets.set(sourceId, { target: { id }, name: nameOf(id) ?? name, isHomeroom });
      const isKept = link && nameOf(id) !== name;
      if (link) result.classLinks.push({ sourceId, target: { id }, name: isKept ? link.name : name });
      else if (!taken.has(id)) result.classLinks.push({ sourceId, target: { id }, name: nameOf(id) ?? name });
      taken.add(id);
    } else {
      targets.set(sourceId, { target: { newKey: key }, name, isHomeroom });
      if (!pending.has(key)) pending.set(key, sourceId);
    }
  }
  // Partial records name classes of earlier runs.
  for (const { sourceId, name } of records.isComplete ? [] : state.classLinks) {
    const id = links.get(sourceId)?.classId ?? byKey.get(classKey(name));
    if (!targets.has(sourceId) && id !== undefined && classes.has(id))
      targets.set(sourceId, { target: { id }, name: nameOf(id) ?? '', isHomeroom: false });
  }
  return {
    findTarget: (sourceId) => targets.get(sourceId),
    use: (target) => {
      if (!('newKey' in target) || result.newClasses.has(target.newKey)) return;
      const sourceId = pending.get(target.newKey) ?? '';
      const name = targets.get(sourceId)?.name ?? '';
      result.newClasses.set(target.newKey, name);
      result.classLinks.push({ sourceId, target, name });
      plan.classes.push({ name, from: null });
    },
    nameOf,
  };
}

/**
 * The links whose class is still the one that the source means. At a year end names pass from class to class: a class
 * that was renamed here to the name of another class of the source, or whose former name has passed to another class, is
 * found by its name instead.
 */
function findCurrentLinks(records: SchoolRecords, state: SchoolState): readonly ClassLink[] {
  const keysHere = new Map(state.classes.map(({ id, name }) => [id, classKey(name)]));
  const keysThere = new Map(
    [...state.classLinks, ...records.classes].map(({ sourceId, name }) => [sourceId, classKey(name)]),
  );
  const namesThere = new Set(keysThere.values());
  const hasItsName = ({ classId, name }: ClassLink) => keysHere.get(classId) === classKey(name);
  const unchanged = new Set(state.classLinks.filter(hasItsName).map(({ classId }) => classId));
  const passedOn = new Set(state.classes.flatMap(({ id, name }) => (unchanged.has(id) ? [] : [classKey(name)])));
  return state.classLinks.filter(
    (link) =>
      hasItsName(link) || !(namesThere.has(keysHere.get(link.classId) ?? '') || passedOn.has(classKey(link.name))),
  );
}

/** A class whose new name another class has or gets too; undefined without one. */
function findClash(state: SchoolState, renames: ReadonlyMap<number, string>): number | undefined {
  const seen = new Map<string, number>();
  for (const { id, name } of state.classes) {
    const key = classKey(renames.get(id) ?? name);
    const namesake = seen.get(key);
    if (namesake !== undefined) return renames.has(id) ? id : namesake;
    seen.set(key, id);
  }
  return undefined;
}
