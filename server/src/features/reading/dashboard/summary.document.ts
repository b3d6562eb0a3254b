import type { ReadingSummary } from '#contract/calls/charts.ts';
import { A4, type Doc, INK, QUIET, writePdf } from '../../../pdf/write-pdf.ts';

declare module '../../../workers/worker-pool.ts' {
  interface WorkerTasks {
    renderSummary: typeof renderSummary;
  }
}

interface SummaryInput {
  product: string;
  school: string;
  /** The date range and the day of printing, formatted. */
  days: string;
  date: string;
  summary: ReadingSummary;
}

type Figures = Pick<ReadingSummary, 'pupils' | 'readers' | 'reading_time' | 'accuracy'>;

const PAGE = { left: 48, top: 52, bottom: 48 };
const WIDTH = A4.width - 2 * PAGE.left;
const LINE = '#c9c4b8';
const ROW = 24;
const SCHOOL_WEEK = 5;
/** Columns before the levels, with their widths. */
const COLUMNS = [
  ['Year group', 72],
  ['Pupils', 38],
  ['Read', 32],
  ['Not read', 46],
  ['Minutes', 44],
  ['Accuracy', 48],
] as const;

/** One page for governors on how a school or a class reads. It names no pupils. Runs in a worker. */
export const renderSummary = ({ product, school, days, date, summary }: SummaryInput): Promise<Uint8Array> =>
  writePdf({ title: `Reading at ${school}`, product }, (doc) => {
    doc.addPage();
    doc.tag('H1', () => write(doc, `Reading at ${school}`, PAGE.left, PAGE.top, { size: 22, font: 'bold' }));
    doc.tag('P', () => write(doc, `${summary.name} · ${days}`, PAGE.left, PAGE.top + 34, { size: 11, colour: QUIET }));
    const y = drawFigures(doc, summary, PAGE.top + 74);
    drawTable(doc, summary, y + 30);
    drawNotes(doc, `${product} · ${date}`);
  });

interface Style {
  size?: number;
  font?: 'regular' | 'bold';
  colour?: string;
  width?: number;
  align?: 'left' | 'right';
}

/** Writes one line, truncated with an ellipsis. */
function write(doc: Doc, text: string, x: number, y: number, style: Style = {}): void {
  const { size = 11, font = 'regular', colour = INK, width = WIDTH, align = 'left' } = style;
  doc
    .font(font)
    .fontSize(size)
    .fillColor(colour)
    .text(text, x, y, { width, height: size * 1.3, ellipsis: true, align });
}

const percent = (value: number | null): string =>
  value === null ? '–' : value < 1 ? 'under 1%' : `${Math.floor(value)}%`;
const shareWhoRead = (figures: Figures): number =>
  figures.pupils === 0 ? 0 : (100 * figures.readers) / figures.pupils;
const minutesEach = ({ pupils, reading_time }: Figures): number => (pupils === 0 ? 0 : reading_time / 60 / pupils);

const minutesPerWeek = (figures: Figures & { school_days: number }): number | null =>
  figures.school_days === 0 ? null : (minutesEach(figures) * SCHOOL_WEEK) / figures.school_days;

/** `4 more than in the summer term 2026 (12 minutes)` */
function describeChange(now: number | null, then: number | null, unit: string, lastTerm: string): string {
  if (now === null || then === null) return '';
  const [current, previous] = [Math.round(now), Math.round(then)];
  const change = current - previous;
  const size = `${Math.abs(change)} ${unit}${Math.abs(change) === 1 ? '' : 's'}`;
  return change === 0 ? `As in ${lastTerm}` : `${size} ${change > 0 ? 'more' : 'fewer'} than in ${lastTerm}`;
}

/** Three figures and how each has changed since last term. Returns the height below them. */
function drawFigures(doc: Doc, summary: ReadingSummary, y: number): number {
  const { last_term: term } = summary;
  const weekly = minutesPerWeek(summary);
  const termName = term ? `${term.name.charAt(0).toLowerCase()}${term.name.slice(1)}` : '';
  const change = (figure: (of: Figures & { school_days: number }) => number | null, unit: string) =>
    term ? describeChange(figure(summary), figure(term), unit, termName) : '';
  const figures = [
    [
      'Pupils who read',
      `${summary.readers} of ${summary.pupils}`,
      change(shareWhoRead, 'percentage point'),
      `${summary.pupils - summary.readers} did not read`,
    ],
    [
      'Minutes a pupil, each school week',
      weekly === null ? '–' : String(Math.round(weekly)),
      change(minutesPerWeek, 'minute'),
      `${Math.round(summary.reading_time / 3600).toLocaleString('en-GB')} hours in all`,
    ],
    [
      'Words read correctly',
      percent(summary.accuracy),
      change(({ accuracy }) => accuracy, 'percentage point'),
      summary.accuracy === null ? 'fewer than 100 words read' : '',
    ],
  ];
  const width = WIDTH / figures.length;
  figures.forEach(([label = '', value = '', changed = '', note = ''], index) => {
    const x = PAGE.left + index * width;
    const box = { width: width - 14 };
    doc.tag('H2', () => write(doc, label, x, y, { ...box, size: 9.5, colour: QUIET }));
    doc.tag('P', () => write(doc, value, x, y + 14, { ...box, size: 24, font: 'bold' }));
    if (note) doc.tag('P', () => write(doc, note, x, y + 50, { ...box, size: 9.5 }));
    if (changed)
      doc.tag('P', () => {
        doc.font('regular').fontSize(9.5).fillColor(INK);
        doc.text(changed, x, y + 66, box);
      });
  });
  return y + 96;
}

/** A row for each year group and one for all, with a column for each level that occurs. */
function drawTable(doc: Doc, summary: ReadingSummary, top: number): void {
  const years = summary.year_groups;
  const levels = [...new Set(years.flatMap((year) => year.levels.map((each) => each.reading_level)))].sort(
    (a, b) => a - b,
  );
  const left = COLUMNS.reduce((sum, [, width]) => sum + width, 0);
  const levelWidth = levels.length === 0 ? 0 : Math.min(52, (WIDTH - left) / levels.length);
  const widths = [...COLUMNS.map(([, width]) => width), ...levels.map(() => levelWidth)];
  let y = top;
  const drawRow = (cells: readonly string[], style: Style, isHead = false) => {
    let x = PAGE.left;
    doc.section('TR', () =>
      widths.forEach((width, index) => {
        const draw = () => {
          const align = index === 0 ? 'left' : 'right';
          write(doc, cells[index] ?? '', x, y, { ...style, width: width - 4, align });
        };
        if (isHead) doc.tag('TH', draw, { scope: 'Column' });
        else if (index === 0) doc.tag('TH', draw, { scope: 'Row' });
        else doc.tag('TD', draw);
        x += width;
      }),
    );
    y += ROW;
    doc
      .moveTo(PAGE.left, y - 7)
      .lineTo(PAGE.left + WIDTH, y - 7)
      .lineWidth(0.6)
      .stroke(LINE);
  };
  const cellsOf = (name: string, figures: Figures): string[] => [
    name,
    String(figures.pupils),
    String(figures.readers),
    String(figures.pupils - figures.readers),
    String(Math.round(minutesEach(figures))),
    percent(figures.accuracy),
  ];
  const accuracyOf = ({ levels: ofYear }: (typeof years)[number], level: number) =>
    percent(ofYear.find(({ reading_level }) => reading_level === level)?.accuracy ?? null);
  doc.section('Table', () => {
    const head = [...COLUMNS.map(([name]) => name), ...levels.map((level) => `Level ${level}`)];
    drawRow(head, { size: 8.5, colour: QUIET }, true);
    for (const year of years)
      drawRow([...cellsOf(year.name, year), ...levels.map((level) => accuracyOf(year, level))], { size: 10.5 });
    if (years.length > 1) drawRow(cellsOf('All', summary), { size: 10.5, font: 'bold' });
  });
}

const NOTES = [
  'Minutes in the table are for each pupil. They are active reading time: the clock stops after 60 seconds without activity.',
  'Accuracy is the share of attempted words that were read correctly. 95% and more is comfortable reading; below 90% the books are hard. A dash stands for fewer than 100 words.',
  'Only current pupils count, each in their current class. Last term’s figures are for the same pupils.',
];

function drawNotes(doc: Doc, footer: string): void {
  const bottom = A4.height - PAGE.bottom;
  doc.font('regular').fontSize(9).fillColor(QUIET);
  const height = NOTES.reduce((sum, note) => sum + doc.heightOfString(note, { width: WIDTH }) + 3, 0);
  let y = bottom - 24 - height;
  for (const note of NOTES) {
    doc.tag('P', () => doc.text(note, PAGE.left, y, { width: WIDTH }));
    y = doc.y + 3;
  }
  write(doc, footer, PAGE.left, bottom - 12, { size: 8.5, colour: QUIET });
}
