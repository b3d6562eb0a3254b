/** How a series of a chart looks. Dashes and markers tell series apart where colours do not. */
export interface SeriesLook {
  /** A CSS colour that follows light and dark. */
  colour: string;
  /** For `stroke-dasharray`; none for a full line. */
  dash: string | undefined;
  marker: 'circle' | 'square' | 'triangle' | 'diamond' | 'cross' | 'star' | 'ring' | 'none';
}

const look = (key: string, marker: SeriesLook['marker'], dash?: string): SeriesLook => ({
  colour: `var(--series-${key})`,
  dash,
  marker,
});

const LOOKS: Readonly<Record<string, SeriesLook>> = {
  1: look('1', 'circle'),
  2: look('2', 'square', '8 3'),
  3: look('3', 'triangle', '2 3'),
  4: look('4', 'diamond', '10 3 2 3'),
  5: look('5', 'cross', '5 3'),
  6: look('6', 'star', '12 4'),
  12: look('12', 'ring', '2 2 6 2'),
  total: look('total', 'none'),
};

/** The look of a series by its key: levels 1 to 6 and 12; null is the Total. It is the same on every screen. */
export const seriesLook = (key: number | null): SeriesLook => LOOKS[key ?? 'total'] ?? LOOKS.total!;
