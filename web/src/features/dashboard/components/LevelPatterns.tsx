import { seriesLook } from '../../../ui/series.ts';

export const patternId = (id: string, level: number | null): string => `${id}-level-${level ?? 'total'}`;

/** Marks over the colour, by level: the same as in fill.module.css. */
const MARKS: Record<number, { size: number; turn: number; shape: 'lines' | 'dots' | 'net' }> = {
  2: { size: 6, turn: -45, shape: 'lines' },
  3: { size: 5, turn: 0, shape: 'dots' },
  4: { size: 6, turn: 45, shape: 'lines' },
  5: { size: 6, turn: 0, shape: 'lines' },
  6: { size: 5, turn: 90, shape: 'lines' },
  12: { size: 5, turn: 45, shape: 'net' },
};

/** The fills of drawn bars: the colour of a level and a pattern of its own. */
export const LevelPatterns = ({ id, levels }: { id: string; levels: readonly (number | null)[] }) => (
  <defs>
    {levels.map((level) => {
      const { size, turn, shape } = MARKS[level ?? 0] ?? { size: 6, turn: 0, shape: undefined };
      const mark = { fill: 'light-dark(rgb(255 255 255 / 45%), rgb(0 0 0 / 40%))' };
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
          {shape === 'dots' && <circle cx={size / 2} cy={size / 2} r={1.3} stroke="none" style={mark} />}
          {(shape === 'lines' || shape === 'net') && (
            <rect width={shape === 'net' ? 1 : 2} height={size} stroke="none" style={mark} />
          )}
          {shape === 'net' && <rect width={size} height={1} stroke="none" style={mark} />}
        </pattern>
      );
    })}
  </defs>
);
