import { LevelDot } from '../../../../ui/LevelDot.tsx';

/** A book's reading level, in the colour that the charts give it. */
export const LevelBadge = ({ level }: { level: number }) => (
  <span className="small nowrap">
    <LevelDot level={level}>Level {level}</LevelDot>
  </span>
);
