import { useLoadingAnnouncement } from './use-announcement.ts';
import { useDelayed } from './use-delayed.ts';
import css from './DataTable.module.css';

/** A placeholder for a page. Shows bars only if loading takes longer than 200 ms. */
export function PageSkeleton({ rows = 4 }: { rows?: number }) {
  const isLong = useDelayed(true);
  useLoadingAnnouncement(true, 'Loading');
  return (
    <div className={css.pageSkeleton}>
      {isLong &&
        Array.from({ length: rows }, (_, row) => (
          <span key={row} className={css.bar} style={{ width: `${88 - ((row * 23) % 45)}%` }} />
        ))}
    </div>
  );
}
