/** The hours of a school day: times of day (HH:MM) in the school's time zone. `from` is included, `to` is not. */
export interface Hours {
  from: string;
  to: string;
}

/** The hours of a school that has not entered its own. */
export const USUAL_HOURS: Readonly<Hours> = { from: '08:45', to: '15:30' };

const MIN_TIME = '06:00';
const MAX_TIME = '20:00';
const MIN_MINUTES = 60;

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** Lists errors in the hours of a school day: times in the night, in the wrong order, or less than an hour apart. */
export function schoolHoursFaults({ from, to }: Hours): { end: 'from' | 'to'; text: string }[] {
  const outside = (['from', 'to'] as const).filter(
    (end) => ({ from, to })[end] < MIN_TIME || { from, to }[end] > MAX_TIME,
  );
  if (outside.length > 0)
    return outside.map((end) => ({ end, text: `School hours are between ${MIN_TIME} and ${MAX_TIME}.` }));
  return minutesOf(to) - minutesOf(from) < MIN_MINUTES
    ? [{ end: 'to', text: 'School ends at least one hour after it starts.' }]
    : [];
}
