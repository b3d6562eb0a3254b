import type { RosterRun } from '#contract/calls/roster.ts';
import { count, formatMoment, listInWords } from '../../../../shared/format.ts';

const KIND_NAMES: Record<RosterRun['kind'], string> = {
  oneroster: 'OneRoster file',
  ctf: 'Common Transfer File',
};

/** What a source is called: its files and its connection are one. */
export const SOURCE_NAMES: Record<RosterRun['kind'], string> = {
  oneroster: 'OneRoster',
  ctf: 'Common Transfer Files',
};

const STATE_NAMES: Record<RosterRun['state'], string> = {
  proposed: 'Waits for you',
  applied: 'Accepted',
  rejected: 'Not accepted',
  undone: 'Undone',
  expired: 'Expired',
};

/** Where the content of a run came from. */
export const originName = ({ kind, origin }: RosterRun): string =>
  origin === 'file' ? KIND_NAMES[kind] : 'OneRoster connection';

/** What the pages of a run call where it came from. */
export const sourceOf = ({ origin }: RosterRun): string => (origin === 'file' ? 'the file' : 'your system');

/** When and how the content of a run arrived. */
export function describeArrival({ origin, created_at: at, created_by: person }: RosterRun): string {
  const by = person ? ` by ${person.name}` : '';
  if (origin === 'nightly') return `Read by the nightly check on ${formatMoment(at)}.`;
  return `${origin === 'file' ? 'Uploaded' : 'Read'} on ${formatMoment(at)}${by}.`;
}

/** The state of a run, and who decided about it. */
export function stateInWords({ state, is_automatic: isAutomatic, decided_by: person }: RosterRun): string {
  if (state === 'applied' && isAutomatic) return 'Accepted automatically';
  const by = person && (state === 'applied' || state === 'rejected') ? ` by ${person.name}` : '';
  return `${STATE_NAMES[state]}${by}`;
}

/** What a run changed: `3 joiners and 1 new class`. */
export function changesInWords(counts: NonNullable<RosterRun['counts']>): string {
  const parts = [
    [counts.joiners, 'joiner', 'joiners'],
    [counts.returners, 'pupil back', 'pupils back'],
    [counts.movers, 'change of class', 'changes of class'],
    [counts.names, 'change of name', 'changes of name'],
    [counts.leavers, 'leaver', 'leavers'],
    [counts.classes, 'new or renamed class', 'new or renamed classes'],
  ] as const;
  const words = parts.flatMap(([number, one, many]) => (number > 0 ? [count(number, one, many)] : []));
  return words.length > 0 ? listInWords(words) : 'No changes';
}
