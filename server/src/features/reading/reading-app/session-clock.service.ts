import type { intake, IntakeSession } from '#contract/calls/reading-app.ts';
import { FIRST_DAY } from '#contract/limits.ts';
import type { z } from 'zod';
import { DAY_MS } from '../../../clock.ts';

/** How far ahead of ours the start of a session may be. Such a session counts as starting now. */
const START_TOLERANCE_MS = DAY_MS;
/** How far the clock of a tablet may differ from ours, also because of the way of the request. */
const CLOCK_TOLERANCE_MS = 2 * 60_000;

/** What a batch says about the tablet that sends it. */
export type BatchOrigin = Pick<z.output<typeof intake.body>, 'sent_at' | 'device_id'>;

/** The clock of a tablet. `difference` is in seconds, positive if it is ahead, and 0 for a clock that is right. */
export interface TabletClock {
  difference: number;
}

/** The clock of the tablet that sent a batch; undefined if the batch does not state its time. */
export function readClock({ sent_at }: BatchOrigin, now: Date): TabletClock | undefined {
  if (sent_at === undefined) return undefined;
  const milliseconds = Date.parse(sent_at) - now.getTime();
  return { difference: Math.abs(milliseconds) > CLOCK_TOLERANCE_MS ? Math.round(milliseconds / 1000) : 0 };
}

/** When a session began by our clock, and how that came about. A session whose start cannot be right ends as it arrives. */
export function placeStart(
  session: Pick<IntakeSession, 'started_at' | 'reading_time'>,
  clock: TabletClock | undefined,
  now: Date,
): { started_at: Date; clock: 'corrected' | 'arrival' | null } {
  const difference = clock?.difference ?? 0;
  const start = Date.parse(session.started_at) - difference * 1000;
  if (start < Date.parse(FIRST_DAY) || start > now.getTime() + START_TOLERANCE_MS)
    return { started_at: new Date(now.getTime() - session.reading_time * 1000), clock: 'arrival' };
  return { started_at: new Date(Math.min(start, now.getTime())), clock: difference === 0 ? null : 'corrected' };
}
