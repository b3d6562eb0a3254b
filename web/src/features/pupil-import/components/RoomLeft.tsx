import { useQuery } from '@tanstack/react-query';
import { count, formatNumber } from '../../../shared/format.ts';
import { Notice } from '../../../ui/Notice.tsx';
import { capacityQuery } from '../pupil-import.api.ts';
import css from './RoomLeft.module.css';

/** As many places as these have no bound. */
const UNLIMITED = 999;

/**
 * How many more pupils the school's subscription has room for; nothing where it has no bound.
 * @param places what the subscription holds, which is known before how many are taken: the notice has its room from the start
 */
export function RoomLeft({ schoolId, places }: { schoolId: number; places: number | undefined }) {
  const { data: capacity, isPending } = useQuery(capacityQuery(schoolId));
  if (capacity && capacity.left !== null) {
    const all = capacity.max_readers ?? 0;
    return (
      <Notice kind={capacity.left === 0 ? 'warning' : 'info'}>
        {capacity.left === 0
          ? `All ${count(all, 'place')} of your subscription are taken.`
          : textOf(capacity.left, capacity.used, all)}
      </Notice>
    );
  }
  if (!isPending || places === undefined || places >= UNLIMITED) return null;
  return (
    <Notice>
      <span className={css.awaited}>{textOf(places, 0, places)}</span>
    </Notice>
  );
}

const textOf = (left: number, used: number, all: number): string =>
  `Your subscription has room for ${count(left, 'more pupil')}: ${formatNumber(used)} of ${count(all, 'place')} taken.`;
