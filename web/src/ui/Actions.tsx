import type { ReactNode } from 'react';
import css from './Actions.module.css';

/** Buttons beside a heading. From three on they stand in two columns on a phone, the last, which is the main one, across where it would be alone. */
export const Actions = ({ children }: { children: ReactNode }) => <div className={css.actions}>{children}</div>;
