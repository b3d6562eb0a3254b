import { networkOf } from '../auth/network.ts';
import type { Session } from '../auth/sessions.queries.ts';
import type { WorkOwner } from '../bounded-queue.ts';

/** The owner of the work for a request without a session. */
export const ownerOfGuest = (address: string): WorkOwner => ({
  school: 'guests',
  person: `network ${networkOf(address)}`,
});

/** The owner of the work for a request. An operator in a member of staff's session has turns of their own. */
export function ownerOf(session: Session | undefined, address: string): WorkOwner {
  if (!session) return ownerOfGuest(address);
  if (session.kind === 'reader') return { school: session.schoolId, person: `pupil ${session.pupilId}` };
  if (session.program) return { school: session.schoolId ?? 'guests', person: `program ${session.program.id}` };
  return {
    school: session.schoolId ?? (session.isOperator ? 'portal' : 'guests'),
    person: `user ${session.impersonatorId ?? session.userId}`,
  };
}
