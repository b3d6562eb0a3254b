import type { ReadingWeek } from '#contract/calls/reading-needs.ts';
import { describeWhoHasRead, describeWhoRead } from '#contract/reading-sentence.ts';
import { count, formatNumber } from '../../../../shared/format.ts';

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
  const { readers: pupilCount, is_last_week } = week;
  const who = is_last_week ? describeWhoRead(week, 'last week') : describeWhoHasRead(week);
  if (pupilCount === 0) return who;
  return `${who}, ${count(minutesEach(week), 'minute')}${pupilCount === 1 ? '' : ' each'}${change(week)}`;
}

/** The week, success first: `26 of 31 read last week, 14 minutes each, up 2. 5 have read so far this week.` */
export function describeWeek(week: ReadingWeek): string {
  const { is_last_week, read_this_week: soFar } = week;
  const sentences = [reading(week)];
  if (is_last_week)
    sentences.push(
      soFar > 0 && week.pupils > 1
        ? `${formatNumber(soFar)} ${soFar === 1 ? 'has' : 'have'} read so far this week`
        : describeWhoHasRead({ pupils: week.pupils, readers: soFar }),
    );
  return `${sentences.join('. ')}.`;
}
