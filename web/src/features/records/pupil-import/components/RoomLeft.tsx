import type { School } from '#contract/calls/school.ts';
import { UNLIMITED_READERS } from '#contract/limits.ts';
import { count, formatNumber } from '../../../../shared/format.ts';
import { Notice } from '../../../../ui/Notice.tsx';

/** How many more pupils the school's subscription allows. Nothing if it has no limit. */
export function RoomLeft({ school }: { school: Pick<School, 'subscription' | 'readers_count'> | undefined }) {
  const max = school?.subscription?.max_readers;
  if (!school || max === undefined || max >= UNLIMITED_READERS) return null;
  const taken = school.readers_count;
  const left = Math.max(0, max - taken);
  return (
    <Notice kind={left === 0 ? 'warning' : 'info'}>
      {left === 0
        ? `All ${count(max, 'place')} of your subscription are taken.`
        : `Your subscription has room for ${count(left, 'more pupil')}: ${formatNumber(taken)} of ${count(max, 'place')} taken.`}
    </Notice>
  );
}
