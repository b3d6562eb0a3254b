import type { CSSProperties } from 'react';
import { seriesLook } from '../../../../ui/series.ts';
import css from './LevelBadge.module.css';

/** A book's reading level, in the colour that the charts give it. */
export const LevelBadge = ({ level }: { level: number }) => (
  <span className={css.badge} style={{ '--level': seriesLook(level).colour } as CSSProperties}>
    Level {level}
  </span>
);
