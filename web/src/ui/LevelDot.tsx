import type { CSSProperties, ReactNode } from 'react';
import css from './LevelDot.module.css';
import { seriesLook } from './series.ts';

interface Props {
  level: number;
  /** Its number by default. */
  children?: ReactNode;
}

/** A reading level beside the colour that the charts give it. */
export const LevelDot = ({ level, children = level }: Props) => (
  <span className={css.level} style={{ '--level': seriesLook(level).colour } as CSSProperties}>
    {children}
  </span>
);
