import { formatNumber } from '../../../../shared/format.ts';

/** Listed first of a short list. */
const INITIAL_PUPILS = 3;
/** Listed first of a long list of a whole school: those that its first request fetches. */
export const INITIAL_PUPILS_OF_SCHOOL = 10;

/** A list of more pupils than this share of all is long: it begins with the worst. */
const LONG_SHARE = 0.25;

interface Counts {
  /** Pupils who need help. */
  inNeed: number;
  /** All pupils of the class or the school. */
  pupils: number;
  isClass: boolean;
}

const isLong = ({ inNeed, pupils }: Counts): boolean => inNeed > pupils * LONG_SHARE;

/** How many pupils a list shows before the rest: of a long list of a class, the worst quarter of the class. */
export function countWorst(counts: Counts): number {
  if (!isLong(counts)) return INITIAL_PUPILS;
  return counts.isClass ? Math.max(INITIAL_PUPILS, Math.ceil(counts.pupils * LONG_SHARE)) : INITIAL_PUPILS_OF_SCHOOL;
}

/** `11 of 28 need help: these are the 7 who need it most.` Undefined for a short list, and for one that is shown whole. */
export function describeWorst(counts: Counts): string | undefined {
  const worst = countWorst(counts);
  const { inNeed, pupils } = counts;
  if (!isLong(counts) || inNeed <= worst) return undefined;
  return `${formatNumber(inNeed)} of ${formatNumber(pupils)} need help: these are the ${worst} who need it most.`;
}
