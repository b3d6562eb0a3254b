/** The first day of the next September after a day: `2027-09-01`. */
export function nextSeptember(day: string): string {
  const year = Number(day.slice(0, 4));
  return `${day < `${year}-09-01` ? year : year + 1}-09-01`;
}
