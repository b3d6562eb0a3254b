const number = new Intl.NumberFormat('en-GB');

/** Pupils in a week, and how many of them read. */
interface WeekOfPupils {
  pupils: number;
  readers: number;
}

/**
 * Who of some pupils read in a week that is over: `26 of 31 read last week`, `All 31 read last week`, `The one pupil read
 * last week`.
 * @param when such as `last week`
 */
export function describeWhoRead({ pupils, readers: active }: WeekOfPupils, when: string): string {
  if (pupils === 1) return active === 0 ? `The one pupil did not read ${when}` : `The one pupil read ${when}`;
  if (active === 0) return `No one read ${when}`;
  return `${active === pupils ? `All ${number.format(pupils)}` : countOf(active, pupils)} read ${when}`;
}

/** Who of some pupils have read so far: `26 of 31 have read this week`, `The one pupil has read this week`. */
export function describeWhoHasRead({ pupils, readers: active }: WeekOfPupils): string {
  if (pupils === 1)
    return active === 0 ? 'The one pupil has not read yet this week' : 'The one pupil has read this week';
  if (active === 0) return 'No one has read yet this week';
  const who = active === pupils ? `All ${number.format(pupils)}` : countOf(active, pupils);
  return `${who} ${active === 1 ? 'has' : 'have'} read this week`;
}

const countOf = (active: number, pupils: number): string => `${number.format(active)} of ${number.format(pupils)}`;

const SMALL_NUMBERS = ['No one', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine'];

/** `Three need you` */
export const describeNeed = (inNeed: number): string =>
  `${SMALL_NUMBERS[inNeed] ?? number.format(inNeed)} ${inNeed < 2 ? 'needs' : 'need'} you`;
