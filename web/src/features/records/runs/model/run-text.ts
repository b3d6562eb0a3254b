import type { Run, SKIP_REASONS, UndoPlan } from '#contract/calls/runs.ts';
import type { SchoolRecordsSource } from '#contract/calls/school-records.ts';
import { paths } from '../../../../paths.ts';
import { count, formatMoment, listInWords } from '../../../../shared/format.ts';

const KIND_NAMES: Record<Run['kind'], string> = {
  oneroster: 'OneRoster file',
  ctf: 'Common Transfer File',
  atf: 'Admissions Transfer File',
  list: 'Typed or pasted list',
  year_end: 'Year end',
};

/** What a source is called: its files and its connection are one. */
export const SOURCE_NAMES: Record<SchoolRecordsSource['kind'], string> = {
  oneroster: 'OneRoster',
  ctf: 'Common Transfer Files',
};

const STATE_NAMES: Record<Run['state'], string> = {
  planned: 'Waiting for your decision',
  applied: 'Applied',
  discarded: 'Discarded',
  undone: 'Undone',
  expired: 'Expired',
};

/** Why an undo skips a pupil or class. */
export const SKIP_REASON_NAMES: Record<(typeof SKIP_REASONS)[number], string> = {
  changed: 'changed since',
  has_read: 'has read since',
  not_managed: 'in a class that you do not manage',
  class_deleted: 'the former class has been deleted',
  id_taken: 'another pupil has the ID now',
  name_taken: 'another class has a former name now',
  class_used: 'the class is in use',
};

/** Where the content of a run came from. */
export const originName = ({ kind, origin, title }: Pick<Run, 'kind' | 'origin' | 'title'>): string =>
  title === null
    ? origin === null || origin === 'file'
      ? KIND_NAMES[kind]
      : 'OneRoster connection'
    : `List “${title}”`;

/** The page that shows a run. */
export const pageOfRun = ({ kind, id }: Pick<Run, 'kind' | 'id'>): string =>
  kind === 'year_end' ? paths.yearEnd() : kind === 'list' ? paths.pupilList(id) : paths.schoolRecordsRun(id);

/** What the pages of a run call where it came from. */
export const sourceOf = ({ origin }: Pick<Run, 'origin'>): string => (origin === 'file' ? 'the file' : 'your system');

/** When and how the content of a run arrived. */
export function describeArrival({ kind, origin, created_at: at, created_by: person }: Run): string {
  const by = person ? ` by ${person.name}` : '';
  if (origin === 'nightly') return `Read by the nightly check on ${formatMoment(at)}.`;
  const verb = kind === 'list' ? 'Added' : kind === 'year_end' ? 'Applied' : origin === 'file' ? 'Uploaded' : 'Read';
  return `${verb} on ${formatMoment(at)}${by}.`;
}

/** The state of a run, and who applied or discarded it. */
export function stateInWords({ kind, state, is_automatic: isAutomatic, closed_by: person }: Run): string {
  if (state === 'applied' && kind === 'list') return 'Added';
  if (state === 'applied' && isAutomatic) return 'Applied automatically';
  const by = person && (state === 'applied' || state === 'discarded') ? ` by ${person.name}` : '';
  return `${STATE_NAMES[state]}${by}`;
}

const CLASSES: Partial<Record<Run['kind'], [string, string]>> = {
  list: ['new class', 'new classes'],
  year_end: ['class moved up', 'classes moved up'],
};

/** What a run changed: `3 joiners and 1 new class`. */
export function changesInWords(counts: NonNullable<Run['counts']>, kind: Run['kind']): string {
  const joiner = kind === 'list' ? (['new pupil', 'new pupils'] as const) : (['joiner', 'joiners'] as const);
  const parts = [
    [counts.joiners, ...joiner],
    [counts.returners, 'pupil back', 'pupils back'],
    [counts.movers, 'change of class', 'changes of class'],
    [counts.names, 'change of name', 'changes of name'],
    [counts.year_groups, 'change of year group', 'changes of year group'],
    [counts.leavers, 'leaver', 'leavers'],
    [counts.classes, ...(CLASSES[kind] ?? ['new or renamed class', 'new or renamed classes'])],
  ] as const;
  const words = parts.flatMap(([number, singular, plural]) => (number > 0 ? [count(number, singular, plural)] : []));
  return words.length > 0 ? listInWords(words) : 'No changes';
}

/** What an undo would do, a sentence for each kind of change. */
export function undoInWords(plan: Omit<UndoPlan, 'skipped'>): string[] {
  const parts = [
    [plan.archived, 'pupil goes to the archive', 'pupils go to the archive'],
    [plan.restored, 'pupil comes back from the archive', 'pupils come back from the archive'],
    [plan.moved, 'pupil goes back to their former class', 'pupils go back to their former classes'],
    [plan.renamed, 'pupil gets back their former name', 'pupils get back their former names'],
    [plan.year_groups, 'pupil gets back their former year group', 'pupils get back their former year groups'],
    [plan.classes_deleted, 'new class is deleted', 'new classes are deleted'],
    [plan.classes_restored, 'deleted class is restored', 'deleted classes are restored'],
    [
      plan.classes_changed,
      'class gets back its former name and teachers',
      'classes get back their former names and teachers',
    ],
  ] as const;
  return parts.flatMap(([number, singular, plural]) => (number > 0 ? [count(number, singular, plural)] : []));
}
