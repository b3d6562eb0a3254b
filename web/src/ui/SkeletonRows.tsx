import css from './DataTable.module.css';
import { useDelayed } from './use-delayed.ts';

/** Rows that hold the place of those to come. The first 200 ms they are there but not seen. */
export function SkeletonRows({ rows, columns }: { rows: number; columns: number }) {
  const isLong = useDelayed(true);
  return Array.from({ length: rows }, (_, row) => (
    <tr role="row" key={row} aria-hidden className={css.skeleton} data-seen={isLong || undefined}>
      {Array.from({ length: columns }, (__, column) => (
        <td role="cell" key={column}>
          <span style={{ width: `${55 + ((row * 17 + column * 29) % 40)}%` }} />
        </td>
      ))}
    </tr>
  ));
}
