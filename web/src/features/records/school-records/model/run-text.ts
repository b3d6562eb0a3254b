import type { ReplyOf } from '#contract/call.ts';
import type { SchoolRecordsRun, SchoolRecordsSource, schoolRecordsCalls } from '#contract/calls/school-records.ts';
import { count, formatMoment, listInWords } from '../../../../shared/format.ts';

const KIND_NAMES: Record<SchoolRecordsRun['kind'], string> = {
  oneroster: 'OneRoster file',
  ctf: 'Common Transfer File',
  atf: 'Admissions Transfer File',
};

/** What a source is called: its files and its connection are one. */
export const SOURCE_NAMES: Record<SchoolRecordsSource['kind'], string> = {
  oneroster: 'OneRoster',
  ctf: 'Common Transfer Files',
};

const STATE_NAMES: Record<SchoolRecordsRun['state'], string> = {
  planned: 'Waiting for your decision',
  applied: 'Applied',
  discarded: 'Discarded',
  undone: 'Undone',
  expired: 'Expired',
};

type SkipReason = ReplyOf<typeof schoolRecordsCalls.undoSchoolRecordsRun>['skipped'][number]['reason'];

/** Why an undo skipped a pupil or class. */
export const SKIP_REASON_NAMES: Record<SkipReason, string> = {
  changed: 'changed since',
  has_read: 'has read since',
  class_deleted: 'the former class has been deleted',
  id_taken: 'another pupil has the ID now',
  name_taken: 'another class has a former name now',
  class_used: 'the class is in use',
};

/** Where the content of a run came from. */
export const originName = ({ kind, origin }: SchoolRecordsRun): string =>
  origin === 'file' ? KIND_NAMES[kind] : 'OneRoster connection';

/** What the pages of a run call where it came from. */
export const sourceOf = ({ origin }: SchoolRecordsRun): string => (origin === 'file' ? 'the file' : 'your system');

/** When and how the content of a run arrived. */
export function describeArrival({ origin, created_at: at, created_by: person }: SchoolRecordsRun): string {
  const by = person ? ` by ${person.name}` : '';
  if (origin === 'nightly') return `Read by the nightly check on ${formatMoment(at)}.`;
  return `${origin === 'file' ? 'Uploaded' : 'Read'} on ${formatMoment(at)}${by}.`;
}

/** The state of a run, and who applied or discarded it. */
export function stateInWords({ state, is_automatic: isAutomatic, closed_by: person }: SchoolRecordsRun): string {
  if (state === 'applied' && isAutomatic) return 'Applied automatically';
  const by = person && (state === 'applied' || state === 'discarded') ? ` by ${person.name}` : '';
  return `${STATE_NAMES[state]}${by}`;
}

/** What a run changed: `3 joiners and 1 new class`. */
export function changesInWords(counts: NonNullable<SchoolRecordsRun['counts']>): string {
  const parts = [
    [counts.joiners, 'joiner', 'joiners'],
    [counts.returners, 'pupil back', 'pupils back'],
    [counts.movers, 'change of class', 'changes of class'],
    [counts.names, 'change of name', 'changes of name'],
    [counts.leavers, 'leaver', 'leavers'],
    [counts.classes, 'new or renamed class', 'new or renamed classes'],
  ] as const;
  const words = parts.flatMap(([number, singular, plural]) => (number > 0 ? [count(number, singular, plural)] : []));
  return words.length > 0 ? listInWords(words) : 'No changes';
}
