import type { Session } from '#contract/calls/sessions.ts';
import { formatDate } from '../../../../shared/format.ts';
import { dayOf, today } from '../../../../shared/school-day.ts';

/** `Chrome on Windows`, as far as it was recognised. */
export function deviceName({ browser, system }: Pick<Session, 'browser' | 'system'>): string {
  if (browser && system) return `${browser} on ${system}`;
  if (browser) return browser;
  return system ? `A program on ${system}` : 'Unknown device';
}

/** When a session was last used, in no more detail than is recorded: once an hour. */
export function lastUse({
  is_recent: isRecent,
  last_used_at: at,
}: Pick<Session, 'is_recent' | 'last_used_at'>): string {
  if (isRecent) return 'Used in the last hour';
  return dayOf(at) === today() ? 'Last used today' : `Last used on ${formatDate(at)}`;
}
