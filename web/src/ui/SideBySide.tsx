import type { CSSProperties, ReactNode } from 'react';
import css from './Card.module.css';

interface Props {
  /** The width of the first as a share of the second's; 1 by default. */
  first?: number;
  children: ReactNode;
}

/** Two cards beside each other, and on a tablet below each other. */
export const SideBySide = ({ first = 1, children }: Props) => (
  <div className={css.columns} style={{ '--first': `${first}fr` } as CSSProperties}>
    {children}
  </div>
);
