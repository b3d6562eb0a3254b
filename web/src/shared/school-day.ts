/** Days are those of the schools' clock. */
const ZONE = 'Europe/London';

const clock = new Intl.DateTimeFormat('en-GB', {
  timeZone: ZONE,
  hourCycle: 'h23',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

function clockAt(timestamp: number) {
  const parts = Object.fromEntries(clock.formatToParts(timestamp).map(({ type, value }) => [type, value]));
  return {
    day: `${parts.year}-${parts.month}-${parts.day}`,
    asUtc: Date.UTC(
      Number(parts.year),
      Number(parts.month) - 1,
      Number(parts.day),
      Number(parts.hour),
      Number(parts.minute),
      Number(parts.second),
    ),
  };
}

/** The day on the schools' clock: `2026-11-21`. */
export const today = (now = Date.now()): string => clockAt(now).day;

/** The moment at which a day begins on the schools' clock. */
function startOf(day: string): number {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  // How far the clock is ahead of UTC at about that moment. It changes at one in the morning, never at midnight.
  return midnight - (clockAt(midnight).asUtc - midnight);
}

/** A range of days as the two moments that calls take: the first day's start and the last day's end. */
export function momentsOf({ from, to }: { from: string; to: string }): { start: string; end: string } {
  const after = new Date(Date.parse(`${to}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
  return { start: new Date(startOf(from)).toISOString(), end: new Date(startOf(after) - 1).toISOString() };
}
