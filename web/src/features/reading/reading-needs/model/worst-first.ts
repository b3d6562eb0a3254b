import { formatNumber } from '../../../../shared/format.ts';

/** Pupils shown before the rest: few, so that the charts below stay in view. */
export const INITIAL_PUPILS = 3;
/** Those that the first request for a whole school fetches. */
export const INITIAL_PUPILS_OF_SCHOOL = 10;

/** A list of more pupils than this share of all is long: it begins with the worst. */
const LONG_SHARE = 0.25;

interface Counts {
  /** Pupils who need help. */
  inNeed: number;
  /** All pupils of the class or the school. */
  pupils: number;
}

/** `11 of 28 need help: these are the 3 who need it most.` Undefined for a short list, and for one that is shown whole. */
export function describeWorst({ inNeed, pupils }: Counts): string | undefined {
  if (inNeed <= pupils * LONG_SHARE || inNeed <= INITIAL_PUPILS) return undefined;
  return `${formatNumber(inNeed)} of ${formatNumber(pupils)} need help: these are the ${INITIAL_PUPILS} who need it most.`;
}
