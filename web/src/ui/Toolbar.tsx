import type { ReactNode } from 'react';
import css from './Toolbar.module.css';

/** Search and filters above a list: in a row, or one under the other where it is narrow. The first one takes the room. */
export const Toolbar = ({ children }: { children: ReactNode }) => (
  <div className={`tools ${css.bar} no-print`}>{children}</div>
);
