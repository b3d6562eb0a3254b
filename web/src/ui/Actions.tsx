import type { ReactNode } from 'react';
import css from './Actions.module.css';

/** Buttons beside a heading. Three or more are in two columns on a phone; the last, the main one, fills its row if it would be alone. */
export const Actions = ({ children }: { children: ReactNode }) => (
  <div className={`cluster-m ${css.actions} no-print`}>{children}</div>
);
