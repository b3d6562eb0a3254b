import nicknames from '#content/nicknames.json' with { type: 'json' };
import { yearGroupOfClass, yearNumber } from '#contract/year-group.ts';
import type { StagedPupil } from '../../../database/column-types.ts';
import { nameKey } from '../../school/pupils/pupils.public.ts';
import type { ClassTarget, SchoolRecords, SchoolState } from './state.service.ts';

type Pupil = SchoolState['pupils'][number];

/** The class of a row in the school; its name also when the class is new. */
interface StatedClass {
  target: ClassTarget | undefined;
  name: string | null;
}

/** Who of the school a row with a new source ID may be about. */
export interface SameChild {
  /** Another source added a pupil with this name or UPN. */
  isElsewhere: boolean;
  /** The pupil who it is without doubt. */
  recognised: Pupil | undefined;
  /** The pupils among whom an admin decides. */
  candidates: Pupil[];
}

const MAX_CANDIDATES = 5;
/** First names of which one begins the other are alike from this many letters. */
const MIN_SHARED = 3;

const shortNames = new Map(nicknames.map(([full = '', ...short]) => [full, new Set(short)]));

const lettersOf = (text: string) => text.replaceAll(/[^\p{L}]/gu, '');

/** Whether two first names may be of one child: one begins the other, or is short for it. */
function areFirstNamesAlike(left: string, right: string): boolean {
  const [short = '', long = ''] = [lettersOf(left), lettersOf(right)].toSorted((a, b) => a.length - b.length);
  return (
    short === long ||
    (short.length >= MIN_SHARED && long.startsWith(short)) ||
    shortNames.get(long)?.has(short) === true ||
    shortNames.get(short)?.has(long) === true
  );
}

/** A name as it is compared: the first name, and the others. */
function splitName(name: string): { first: string; others: string[] } {
  const [first = '', ...others] = nameKey(name).split(/[ -]/).filter(Boolean);
  return { first, others };
}

/** Whether two names may be of one child: first names that are alike, and all others that one of them has. */
export function areNamesAlike(name: string, otherName: string): boolean {
  const [left, right] = [splitName(name), splitName(otherName)];
  const [fewer, more] = [left.others, right.others].toSorted((a, b) => a.length - b.length);
  if (!fewer?.length) return false;
  return fewer.every((part) => more?.includes(part)) && areFirstNamesAlike(left.first, right.first);
}

/**
 * Returns a function that finds the pupils who may be the same child as a row with a new source ID: those of no source,
 * or of this source under an ID that the records no longer contain.
 *
 * Recognised without a question are: the same UPN; the same name and date of birth; a name that the school has once, in
 * complete records or, in partial ones, in the same class. Never a pupil who would be more than a year group away, and never
 * one whom two rows could be. Other names that are the same or alike are a question.
 */
export function sameChildFinder(
  records: SchoolRecords,
  state: SchoolState,
  classOf: (row: StagedPupil) => StatedClass,
) {
  const present = new Set(records.pupils.map(({ sourceId }) => sourceId));
  const linkOf = new Map(state.links.map((link) => [link.pupilId, link]));
  const otherLinkOf = new Map(state.otherLinks.map((link) => [link.pupilId, link]));
  const classNames = new Map(state.classes.map(({ id, name }) => [id, name]));
  const byName = Map.groupBy(state.pupils, ({ name }) => nameKey(name));
  const byId = new Map(state.pupils.map((pupil) => [pupil.id, pupil]));
  const byUpn = new Map([...state.links, ...state.otherLinks].flatMap((link) => (link.upn ? [[link.upn, link]] : [])));
  const isFree = ({ id }: Pupil) => !otherLinkOf.has(id) && !present.has(linkOf.get(id)?.sourceId ?? '');
  const bySurname = Map.groupBy(
    state.pupils
      .filter((pupil) => !pupil.isArchived && isFree(pupil))
      .flatMap((pupil) => splitName(pupil.name).others.map((surname) => ({ pupil, surname }))),
    ({ surname }) => surname,
  );

  const birthOf = ({ id }: Pupil) => (linkOf.get(id) ?? otherLinkOf.get(id))?.birth ?? null;
  const hasOtherBirth = (row: StagedPupil, pupil: Pupil) =>
    row.birth !== null && birthOf(pupil) !== null && birthOf(pupil) !== row.birth;
  const isInClass = (row: StagedPupil, { classId }: Pupil) => {
    const { target } = classOf(row);
    return target !== undefined && 'id' in target && target.id === classId;
  };
  const isYearPlausible = (row: StagedPupil, pupil: Pupil) => {
    const there = yearNumber(row.yearGroup ?? yearGroupOfClass(classOf(row).name ?? ''));
    const here = yearNumber(pupil.yearGroup?.code ?? yearGroupOfClass(classNames.get(pupil.classId ?? 0) ?? ''));
    return here === null || there === null || Math.abs(here - there) <= 1;
  };

  /** The pupils with the row’s UPN or name. */
  const findEqual = (row: StagedPupil) => {
    const linkOfUpn = row.upn === null ? undefined : byUpn.get(row.upn);
    const ofUpn = linkOfUpn && byId.get(linkOfUpn.pupilId);
    const sameName = (byName.get(nameKey(row.name ?? '')) ?? []).filter((pupil) => !hasOtherBirth(row, pupil));
    const found = [...new Set([ofUpn, ...sameName])].filter((pupil) => pupil !== undefined);
    return { ofUpn, found, isElsewhere: found.some(({ id }) => otherLinkOf.has(id)) };
  };
  const recognise = (row: StagedPupil): Pupil | undefined => {
    const { ofUpn, found } = findEqual(row);
    const [only, ...others] = found.filter(isFree);
    if (!only || others.length > 0 || only.isArchived || !isYearPlausible(row, only)) return undefined;
    if (only === ofUpn || (row.birth !== null && birthOf(only) === row.birth)) return only;
    const isOnlyName = byName.get(nameKey(only.name))?.length === 1;
    return isOnlyName && (records.isComplete || isInClass(row, only)) ? only : undefined;
  };
  const linked = new Set(state.links.flatMap(({ sourceId, pupilId }) => (byId.has(pupilId) ? [sourceId] : [])));
  const recognised = new Map<string, Pupil>();
  const rowsOfPupil = Map.groupBy(
    records.pupils.filter(({ sourceId, name, isGone }) => !isGone && name !== null && !linked.has(sourceId)),
    recognise,
  );
  // Two records of one pupil are a question.
  for (const [pupil, [only, ...others]] of rowsOfPupil)
    if (pupil && only && others.length === 0) recognised.set(only.sourceId, pupil);
  const taken = new Set(recognised.values());

  return (row: StagedPupil): SameChild => {
    const { found, isElsewhere } = findEqual(row);
    const known = recognised.get(row.sourceId);
    if (known) return { isElsewhere, recognised: known, candidates: [] };
    const free = found.filter((pupil) => isFree(pupil) && !taken.has(pupil));
    const alike = new Set(
      splitName(row.name ?? '').others.flatMap((surname) => (bySurname.get(surname) ?? []).map(({ pupil }) => pupil)),
    );
    const near = [...alike].filter(
      (pupil) =>
        !taken.has(pupil) &&
        (records.isComplete || isInClass(row, pupil)) &&
        areNamesAlike(row.name ?? '', pupil.name) &&
        isYearPlausible(row, pupil) &&
        !hasOtherBirth(row, pupil),
    );
    const candidates = free.length > 0 ? free : near;
    return { isElsewhere, recognised: undefined, candidates: candidates.slice(0, MAX_CANDIDATES) };
  };
}
