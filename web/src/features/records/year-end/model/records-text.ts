import type { YearEndRecords } from '#contract/calls/year-end.ts';
import { count } from '../../../../shared/format.ts';
import type { Proposal } from './year-end-plan.ts';

export type PlannedRecords = Extract<YearEndRecords, { state: 'planned' }>;

const nonZero = (parts: readonly (readonly [number, string, string])[]): string[] =>
  parts.flatMap(([number, singular, plural]) => (number > 0 ? [count(number, singular, plural)] : []));

/** What planned records know and would add: `84 pupils recognised, 28 join, 29 leave, 3 questions`. */
export const recordsInWords = ({ recognised, joiners, returners, leavers, questions }: PlannedRecords): string =>
  [
    `${count(recognised, 'pupil')} recognised`,
    ...nonZero([
      [joiners, 'joins', 'join'],
      [returners, 'returns', 'return'],
      [leavers, 'leaves', 'leave'],
      [questions, 'question', 'questions'],
    ]),
  ].join(', ');

/** What planned records would still change: `28 join, 2 changes of class, 3 questions`. Empty if nothing. */
export const remainingInWords = ({ joiners, returners, movers, leavers, questions }: PlannedRecords): string =>
  nonZero([
    [joiners, 'joins', 'join'],
    [returners, 'returns', 'return'],
    [movers, 'change of class', 'changes of class'],
    [leavers, 'leaves', 'leave'],
    [questions, 'question', 'questions'],
  ]).join(', ');

/** What the records propose for a class of so many pupils. */
export function describeProposal({ step, name, pupils }: Proposal, total: number): string {
  if (step === 'splits') return 'The pupils of this class go to several classes. The school records move each of them.';
  const some = `From the school records: ${pupils} of ${count(total, 'pupil')}`;
  const isOne = pupils === 1;
  if (step === 'leaves') return `${some} ${isOne ? 'leaves' : 'leave'}.`;
  if (step === 'stays') return `${some} ${isOne ? 'stays' : 'stay'}.`;
  const go = `${some} ${isOne ? 'goes' : 'go'} to ${name}`;
  return step === 'moves_up' ? `${go}.` : `${go}, which another class becomes. The school records move each of them.`;
}
