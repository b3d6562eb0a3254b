import type { SeriesLook } from '../../../../ui/series.ts';

interface Props {
  look: Pick<SeriesLook, 'marker' | 'colour'>;
  x?: number;
  y?: number;
  size?: number;
}

/** The marker of a series, inside an `svg`. Each has its own shape, so that colour is never the only difference. */
export function Marker({ look: { marker, colour }, x = 0, y = 0, size = 4 }: Props) {
  const s = size;
  const filled = { fill: colour, stroke: 'var(--surface)', strokeWidth: 1 };
  const outline = { fill: 'none', stroke: colour, strokeWidth: 2.2 };
  switch (marker) {
    case 'circle':
      return <circle cx={x} cy={y} r={s} {...filled} />;
    case 'ring':
      return <circle cx={x} cy={y} r={s - 0.5} {...outline} fill="var(--surface)" />;
    case 'square':
      return <rect x={x - s * 0.9} y={y - s * 0.9} width={s * 1.8} height={s * 1.8} {...filled} />;
    case 'triangle':
      return <path d={`M${x} ${y - s * 1.2}L${x + s * 1.15} ${y + s * 0.9}H${x - s * 1.15}Z`} {...filled} />;
    case 'diamond':
      return (
        <path d={`M${x} ${y - s * 1.3}L${x + s * 1.3} ${y}L${x} ${y + s * 1.3}L${x - s * 1.3} ${y}Z`} {...filled} />
      );
    case 'cross':
      return <path d={`M${x - s} ${y - s}L${x + s} ${y + s}M${x + s} ${y - s}L${x - s} ${y + s}`} {...outline} />;
    case 'star':
      return (
        <path
          d={`M${x - s * 1.2} ${y}H${x + s * 1.2}M${x - s * 0.6} ${y - s}L${x + s * 0.6} ${y + s}M${x + s * 0.6} ${y - s}L${x - s * 0.6} ${y + s}`}
          {...outline}
        />
      );
    case 'none':
      return <circle cx={x} cy={y} r={s * 0.8} {...filled} />;
  }
}
