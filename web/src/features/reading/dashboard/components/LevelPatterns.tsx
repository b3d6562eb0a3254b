import { seriesLook } from '../../../../ui/series.ts';
import css from './Fill.module.css';

export const patternId = (id: string, level: number | null): string => `${id}-level-${level ?? 'total'}`;

/** The pattern of each level, the same as in Fill.module.css. */
const MARKS: Record<number, { size: number; turn: number; shape: 'lines' | 'dots' | 'net' }> = {
  2: { size: 6, turn: -45, shape: 'lines' },
  3: { size: 5, turn: 0, shape: 'dots' },
  4: { size: 6, turn: 45, shape: 'lines' },
  5: { size: 6, turn: 0, shape: 'lines' },
  6: { size: 5, turn: 90, shape: 'lines' },
  12: { size: 5, turn: 45, shape: 'net' },
};

/** The fills of bars: the colour of a level, and its pattern where the style sheet shows it. */
export const LevelPatterns = ({ id, levels }: { id: string; levels: readonly (number | null)[] }) => (
  <defs>
    {levels.map((level) => {
      const { size, turn, shape } = MARKS[level ?? 0] ?? { size: 6, turn: 0, shape: undefined };
      return (
        <pattern
          key={level}
          id={patternId(id, level)}
          width={size}
          height={size}
          patternUnits="userSpaceOnUse"
          patternTransform={`rotate(${turn})`}
        >
          <rect width={size} height={size} fill={seriesLook(level).colour} stroke="none" />
          {shape === 'dots' && <circle cx={size / 2} cy={size / 2} r={1.3} stroke="none" className={css.mark} />}
          {(shape === 'lines' || shape === 'net') && (
            <rect width={shape === 'net' ? 1 : 2} height={size} stroke="none" className={css.mark} />
          )}
          {shape === 'net' && <rect width={size} height={1} stroke="none" className={css.mark} />}
        </pattern>
      );
    })}
  </defs>
);
