import { type Calendar, type Days, mondayOf, plusDays, termYearDays, termYearOf } from '#contract/school-calendar.ts';

/** Days with the name that teachers use for them. The last day may be in the future. */
export interface NamedDays extends Days {
  name: string;
}

/** The ranges that schools use, as far as they exist on a day: during a holiday there is no half-term. */
export function schoolRanges(calendar: Calendar, today: string): NamedDays[] {
  const monday = mondayOf(today);
  const nation = calendar.nation ?? null;
  const year = termYearOf(today, nation);
  const halves = [...calendar(year - 1), ...calendar(year)];
  const terms = halves.flatMap((half, index): Days[] => {
    const second = halves[index + 1];
    return index % 2 === 0 && second ? [{ from: half.from, to: second.to }] : [];
  });
  return [
    { name: 'This week', from: monday, to: plusDays(monday, 6) },
    { name: 'Last week', from: plusDays(monday, -7), to: plusDays(monday, -1) },
    ...presentAndLast(['This half-term', 'Last half-term'], halves, today),
    ...presentAndLast(['This term', 'Last term'], terms, today),
    { name: 'This academic year', ...termYearDays(year, nation) },
  ];
}

function presentAndLast(
  [presentName, lastName]: readonly [string, string],
  all: readonly Days[],
  today: string,
): NamedDays[] {
  const present = all.find(({ from, to }) => from <= today && today <= to);
  const last = all.findLast(({ to }) => to < today);
  return [...(present ? [{ name: presentName, ...present }] : []), ...(last ? [{ name: lastName, ...last }] : [])];
}
