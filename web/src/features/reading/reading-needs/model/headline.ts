import type { ReadingWeek } from '#contract/calls/reading-needs.ts';
import { count, formatNumber } from '../../../../shared/format.ts';

const SMALL_NUMBERS = ['No one', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine'];

const minutesEach = ({
  readers: pupilCount,
  reading_time,
}: Pick<ReadingWeek['before'], 'readers' | 'reading_time'>): number =>
  pupilCount === 0 ? 0 : Math.round(reading_time / pupilCount / 60);

/** `up 2`, `down 3` or nothing. */
function change(week: ReadingWeek): string {
  if (week.before.readers === 0) return '';
  const difference = minutesEach(week) - minutesEach(week.before);
  if (difference === 0) return ', no change';
  return `, ${difference > 0 ? 'up' : 'down'} ${Math.abs(difference)}`;
}

function reading(week: ReadingWeek): string {
  const { readers: pupilCount, pupils, is_last_week } = week;
  if (pupilCount === 0) return is_last_week ? 'No one read last week' : 'No one has read yet this week';
  const who =
    pupilCount === pupils ? `All ${formatNumber(pupils)}` : `${formatNumber(pupilCount)} of ${formatNumber(pupils)}`;
  const verb = is_last_week ? 'read last week' : pupilCount === 1 ? 'has read this week' : 'have read this week';
  return `${who} ${verb}, ${count(minutesEach(week), 'minute')} each${change(week)}`;
}

/** The week, success first: `26 of 31 read last week, 14 minutes each, up 2. 5 have read so far this week.` */
export function describeWeek(week: ReadingWeek): string {
  const { is_last_week, read_this_week: soFar } = week;
  const sentences = [reading(week)];
  if (is_last_week)
    sentences.push(
      soFar === 0
        ? 'No one has read yet this week'
        : `${formatNumber(soFar)} ${soFar === 1 ? 'has' : 'have'} read so far this week`,
    );
  return `${sentences.join('. ')}.`;
}

/** `Three need you.` */
export const describeNeed = (inNeed: number): string =>
  `${SMALL_NUMBERS[inNeed] ?? formatNumber(inNeed)} ${inNeed < 2 ? 'needs' : 'need'} you.`;
