/** A number of days for people: months from half a year on. */
export function periodText(days: number): string {
  if (days >= 180) return `${Math.round(days / 30.4)} months`;
  return days === 1 ? '24 hours' : `${days} days`;
}
