/** Events that operators watch for, counted in this process; the metrics report them as `portal_events_total`. */
const counts = { invite_limit_day: 0, invite_limit_open: 0 };

export type CountedEvent = keyof typeof counts;

export const countEvent = (event: CountedEvent): void => void (counts[event] += 1);

export const eventCounts = (): Readonly<Record<CountedEvent, number>> => counts;
