/** Events that operators watch for, counted in this process; the metrics report them as `portal_events_total`. */
const counts = {
  invite_limit_day: 0,
  invite_limit_open: 0,
  login: 0,
  login_rejected: 0,
  mail_blamed_on_us: 0,
  mail_bounced: 0,
  mail_rejected: 0,
  mail_sent: 0,
  reading_session_stored: 0,
  record_view_lost: 0,
};

export type CountedEvent = keyof typeof counts;

export const countEvent = (event: CountedEvent, count = 1): void => void (counts[event] += count);

export const eventCounts = (): Readonly<Record<CountedEvent, number>> => counts;
