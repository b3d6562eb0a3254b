import type { RosterRun } from '#contract/calls/roster.ts';
import { count, listInWords } from '../../../shared/format.ts';

export const KIND_NAMES: Record<RosterRun['kind'], string> = {
  oneroster: 'OneRoster file',
  ctf: 'Common Transfer File',
};

export const STATE_NAMES: Record<RosterRun['state'], string> = {
  proposed: 'Waits for you',
  applied: 'Accepted',
  rejected: 'Not accepted',
  undone: 'Undone',
  expired: 'Expired',
};

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
