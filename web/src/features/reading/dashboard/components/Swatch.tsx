import type { CSSProperties } from 'react';
import { seriesLook } from '../../../../ui/series.ts';
import type { MarkKind } from '../model/mark-kind.ts';
import { Marker } from './Marker.tsx';
import fill from './Fill.module.css';

/** The symbol of a series in a legend or a tooltip. */
export function Swatch({ level, kind }: { level: number | null; kind: MarkKind }) {
  const look = seriesLook(level);
  // An empty box keeps the names aligned.
  if (kind === 'sum') return <span aria-hidden style={{ flex: 'none', width: '1rem' }} />;
  if (kind === 'bar')
    return (
      <span
        aria-hidden
        className={fill.fill}
        data-level={level ?? 'total'}
        style={
          { '--colour': look.colour, flex: 'none', width: '1rem', height: '0.875rem', borderRadius: 3 } as CSSProperties
        }
      />
    );
  return (
    <svg width="1.875rem" height="0.875rem" viewBox="0 0 30 14" aria-hidden style={{ flex: 'none' }}>
      {kind === 'line' && (
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
      {(kind === 'mark' || level !== null) && <Marker look={look} x={15} y={7} />}
    </svg>
  );
}
