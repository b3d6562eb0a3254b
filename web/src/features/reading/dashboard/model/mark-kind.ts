/** How a chart shows its series: lines with markers, markers alone, or stacked bars. */
export type ChartMarks = 'line' | 'mark' | 'bar';

/** How one series is shown. The total of stacked bars is their sum and has no mark. */
export type MarkKind = ChartMarks | 'sum';

export const markKind = (marks: ChartMarks, level: number | null): MarkKind =>
  marks === 'bar' && level === null ? 'sum' : marks;
