import type { NeedResponse } from '#contract/calls/reading-needs.ts';
import { formatDate } from '../../../../shared/format.ts';

/** Who it was; staff may have left the school since. */
export type StaffName = (userId: number) => string;

/** `Done by Tom Finch on 18 November 2026: heard them read` */
export function describeResponse(
  { response, remark, responded_by, responded_at }: Omit<NeedResponse, 'id' | 'need' | 'reason' | 'until'>,
  nameOf: StaffName,
): string {
  const verb = response === 'done' ? 'Done' : 'Snoozed';
  return `${verb} by ${nameOf(responded_by)} on ${formatDate(responded_at)}${remark ? `: ${remark}` : ''}`;
}

/** How long a reason stays hidden. */
export const describeEnd = ({ response, until }: Pick<NeedResponse, 'response' | 'until'>): string =>
  response === 'done'
    ? `Hidden until three more reading sessions, or ${formatDate(until)}`
    : `Hidden until ${formatDate(until)}`;
