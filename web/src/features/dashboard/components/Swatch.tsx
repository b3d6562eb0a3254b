import type { CSSProperties } from 'react';
import { seriesLook } from '../../../ui/series.ts';
import type { Drawn } from '../model/drawn.ts';
import { Marker } from './Marker.tsx';
import fill from './Fill.module.css';

/** The sign of a series in a legend or a tooltip. */
export function Swatch({ level, drawn }: { level: number | null; drawn: Drawn }) {
  const look = seriesLook(level);
  // Nothing is drawn for it; the names stay in one line.
  if (drawn === 'sum') return <span aria-hidden style={{ flex: 'none', width: 16 }} />;
  if (drawn === 'bar')
    return (
      <span
        aria-hidden
        className={fill.fill}
        data-level={level ?? 'total'}
        style={{ '--colour': look.colour, flex: 'none', width: 16, height: 14, borderRadius: 3 } as CSSProperties}
      />
    );
  return (
    <svg width={30} height={14} aria-hidden style={{ flex: 'none' }}>
      {drawn === 'line' && (
        <line
          x1={1}
          x2={29}
          y1={7}
          y2={7}
          stroke={look.colour}
          strokeWidth={level === null ? 3 : 2}
          strokeDasharray={look.dash}
        />
      )}
      {(drawn === 'mark' || level !== null) && <Marker look={look} x={15} y={7} />}
    </svg>
  );
}
