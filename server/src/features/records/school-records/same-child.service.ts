import nicknames from '#content/nicknames.json' with { type: 'json' };
import { type RecordedYearGroup, type YearGroup, yearNumber } from '#contract/year-group.ts';
import { nameKey } from '../../school/pupils/pupils.public.ts';
import type { StagedPupil } from '../../../database/column-types.ts';
import type { ClassTarget, SchoolRecords, SchoolState } from './state.service.ts';

type Pupil = SchoolState['pupils'][number];

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

const shortNames = new Map<string, Set<string>>();
for (const [full = '', ...short] of nicknames) {
  const known = shortNames.get(full) ?? new Set();
  for (const name of short) known.add(name);
  shortNames.set(full, known);
}

/** The first name and the rest of a name’s key. */
function splitKey(key: string): [string, string] {
  const [first = '', ...rest] = key.split(' ');
  return [first, rest.join(' ')];
}

const lettersOf = (text: string) => text.replaceAll(/[^\p{L}]/gu, '');

/** Whether two first names may be of one child: one begins the other, or is short for it. */
export function areFirstNamesAlike(left: string, right: string): boolean {
  const [short = '', long = ''] = [lettersOf(left), lettersOf(right)].toSorted((a, b) => a.length - b.length);
  return (
    short === long ||
    (short.length >= MIN_SHARED && long.startsWith(short)) ||
    (shortNames.get(long)?.has(short) ?? false) ||
    (shortNames.get(short)?.has(long) ?? false)
  );
}

/** Whether a pupil can be in the year group that a row states: the same, or the one before or after it. */
function isYearPlausible(stated: YearGroup | null, recorded: RecordedYearGroup | null): boolean {
  const here = yearNumber(recorded?.code ?? null);
  const there = yearNumber(stated);
  return here === null || there === null || Math.abs(here - there) <= 1;
}

/**
 * Returns a function that finds the pupils who may be the same child as a row with a new source ID: those of no source,
 * or of this source under an ID that the records no longer contain. A name that the school and the records have once is
 * recognised, and so is a UPN; a name that is only like another in the same class is a question.
 */
export function sameChildFinder(records: SchoolRecords, state: SchoolState) {
  const present = new Set(records.pupils.map(({ sourceId }) => sourceId));
  const linkOf = new Map(state.links.map((link) => [link.pupilId, link]));
  const otherLinkOf = new Map(state.otherLinks.map((link) => [link.pupilId, link]));
  const byName = Map.groupBy(state.pupils, ({ name }) => nameKey(name));
  const rowsByName = Map.groupBy(
    records.pupils.filter(({ isGone, name }) => !isGone && name !== null),
    ({ name }) => nameKey(name ?? ''),
  );
  const byId = new Map(state.pupils.map((pupil) => [pupil.id, pupil]));
  const byUpn = new Map([...state.links, ...state.otherLinks].flatMap((link) => (link.upn ? [[link.upn, link]] : [])));
  const inClass = Map.groupBy(
    state.pupils.filter(({ isArchived }) => !isArchived),
    ({ classId }) => classId,
  );
  const isFree = ({ id }: Pupil) => !otherLinkOf.has(id) && !present.has(linkOf.get(id)?.sourceId ?? '');
  const taken = new Set<number>();

  return (row: StagedPupil, name: string, target: ClassTarget | undefined): SameChild => {
    const key = nameKey(name);
    const sameUpn = row.upn === null ? undefined : byUpn.get(row.upn);
    const pupilOfUpn = sameUpn && byId.get(sameUpn.pupilId);
    const sameName = (byName.get(key) ?? []).filter(({ id }) => {
      const birth = (linkOf.get(id) ?? otherLinkOf.get(id))?.birth ?? null;
      return birth === null || row.birth === null || birth === row.birth;
    });
    const found = [...new Set([pupilOfUpn, ...sameName])].filter((pupil) => pupil !== undefined);
    const isElsewhere = found.some(({ id }) => otherLinkOf.has(id));
    const exact = found.filter((pupil) => isFree(pupil));
    const [only] = exact;
    const isOnlyName = byName.get(key)?.length === 1 && rowsByName.get(key)?.length === 1;
    const isSure = only !== undefined && exact.length === 1 && (only === pupilOfUpn || isOnlyName);
    if (!isElsewhere && isSure && !only.isArchived && !taken.has(only.id) && isYearPlausible(row.yearGroup, only.yearGroup)) {
      taken.add(only.id);
      return { isElsewhere, recognised: only, candidates: [] };
    }
    const [first, rest] = splitKey(key);
    const near =
      exact.length > 0 || !target || !('id' in target)
        ? []
        : (inClass.get(target.id) ?? []).filter((pupil) => {
            const [theirFirst, theirRest] = splitKey(nameKey(pupil.name));
            const isNamed = (rowsByName.get(nameKey(pupil.name))?.length ?? 0) > 0;
            return isFree(pupil) && !isNamed && theirRest === rest && areFirstNamesAlike(first, theirFirst);
          });
    return { isElsewhere, recognised: undefined, candidates: [...exact, ...near].slice(0, MAX_CANDIDATES) };
  };
}
