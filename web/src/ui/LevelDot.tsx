import type { CSSProperties } from 'react';
import css from './LevelDot.module.css';
import { seriesLook } from './series.ts';

/** A reading level in a table: its number beside the colour that the charts give it. */
export const LevelDot = ({ level }: { level: number }) => (
  <span className={css.level} style={{ '--level': seriesLook(level).colour } as CSSProperties}>
    {level}
  </span>
);
