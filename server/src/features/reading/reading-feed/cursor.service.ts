import { timestampInput } from '#contract/fields.ts';
import { fieldError } from '../../../errors.ts';

/** A place in the order of the feed, which is by time of arrival and then ID. */
export interface Position {
  /** When a session arrived, in microseconds since 1970, which is the precision of the database. */
  receivedAt: number;
  /** The session before the place; null for a place before every session of this time. */
  sessionId: string | null;
}

export const BEGINNING: Position = { receivedAt: 0, sessionId: null };

const CURSOR = /^([1-9]\d{0,15}) (\d{1,16}) ([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})?$/;

/** A place as text, which names the school so that a cursor of another one is noticed. */
export const encodeCursor = (schoolId: number, { receivedAt, sessionId }: Position): string =>
  Buffer.from(`${schoolId} ${receivedAt} ${sessionId ?? ''}`).toString('base64url');

const MALFORMED =
  'since is neither the next of a page nor a time. Send meta.next of the page before unchanged, or a time such as 2026-11-21T09:30:00Z, in which a plus sign is written as %2B.';
const OTHER_SCHOOL =
  'This place belongs to another school. Send meta.next of a page of this school, or leave out since to begin with its first session.';
const FUTURE =
  'since is in the future. Send the last meta.next that you stored, or a time in the past. Check the clock of the program if it made up the time.';

/**
 * The place that `since` names: the next of a page, or a time.
 * @throws the fault of the field `since`
 */
export function parseSince(since: string | undefined, schoolId: number, now: Date): Position {
  if (since === undefined) return BEGINNING;
  const position = parseTime(since) ?? parseCursor(since, schoolId);
  if (position.receivedAt > now.getTime() * 1000) throw fieldError('since', FUTURE);
  return position;
}

function parseTime(since: string): Position | undefined {
  if (!timestampInput.safeParse(since).success) return undefined;
  // A Date has milliseconds: the next three digits are added to it, and what is smaller than a microsecond is left out.
  const microseconds = /\.\d{3}(\d{1,3})/.exec(since)?.[1] ?? '';
  const receivedAt = Date.parse(since) * 1000 + Number(microseconds.padEnd(3, '0'));
  return { receivedAt: Math.max(receivedAt, 0), sessionId: null };
}

function parseCursor(since: string, schoolId: number): Position {
  const [, school, receivedAt, sessionId] = CURSOR.exec(Buffer.from(since, 'base64url').toString()) ?? [];
  if (school === undefined) throw fieldError('since', MALFORMED);
  const position = { receivedAt: Number(receivedAt), sessionId: sessionId ?? null };
  // Decoding ignores signs that do not belong to the alphabet.
  if (encodeCursor(Number(school), position) !== since) throw fieldError('since', MALFORMED);
  if (Number(school) !== schoolId) throw fieldError('since', OTHER_SCHOOL);
  return position;
}
