import { coverOf, type Member } from '../../../../shared/can.ts';
import { untilFromNow } from '../../../../shared/moment-in-words.ts';

/** Until when the user covers a class: `You cover this class until 15:30 today.` Null if they do not. */
export function ownCoverText(user: Member, classId: number): string | null {
  const cover = coverOf(user, classId);
  return cover ? `You cover this class until ${untilFromNow(cover.ends_at)}.` : null;
}
