import { A4, INK, QUIET, writePdf } from '../../pdf/write-pdf.ts';
import { formatLongDay } from '../../clock.ts';
import type { PupilReport } from './pupil-progress.service.ts';

declare module '../../workers/worker-pool.ts' {
  interface WorkerTasks {
    drawPupilReport: typeof drawPupilReport;
  }
}

interface PupilReportInput {
  product: string;
  /** Of the pupil: nobody else is named. */
  name: string;
  className: string | null;
  school: string;
  /** In words, both included. */
  days: string;
  /** Of printing. */
  date: string;
  report: PupilReport;
}

type Doc = PDFKit.PDFDocument;
interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

const PAGE = { left: 48, top: 44, bottom: 40 };
const WIDTH = A4.width - 2 * PAGE.left;
const GAP = 28;
const HALF = (WIDTH - GAP) / 2;
const RIGHT = PAGE.left + HALF + GAP;
const LINE = '#c9c4b8';
const BAR = '#0c5160';
const MOST_TITLES = 10;
/** In two columns. */
const MOST_WORDS = 20;

/** One page for a parents' evening: what one pupil read, with room for notes on the talk. To be run in a worker. */
export const drawPupilReport = (page: PupilReportInput): Promise<Uint8Array> =>
  writePdf({ title: `How ${page.name} reads`, product: page.product }, (doc) => {
    doc.addPage();
    drawHead(doc, page);
    drawFigures(doc, page.report, PAGE.top + 68);
    const charts = PAGE.top + 138;
    drawMinutes(doc, page.report, { x: PAGE.left, y: charts, width: HALF, height: 120 });
    drawAccuracy(doc, page.report, { x: RIGHT, y: charts, width: HALF, height: 120 });
    const lists = charts + 188;
    drawTitles(doc, page.report.titles, lists);
    drawWords(doc, page.report.words, lists);
    drawTalk(doc, lists + 236, page);
  });

const write = (doc: Doc, text: string, x: number, y: number, size: number, font = 'regular', colour = INK): void => {
  doc.font(font).fontSize(size).fillColor(colour).text(text, x, y, { lineBreak: false });
};

/** Written on one line, cut where it has no room. */
const writeWithin = (
  doc: Doc,
  text: string,
  x: number,
  y: number,
  size: number,
  width: number,
  font = 'regular',
): void => {
  doc
    .font(font)
    .fontSize(size)
    .fillColor(INK)
    .text(text, x, y, { width, height: size * 1.2, ellipsis: true });
};

function drawHead(doc: Doc, { name, className, school, days }: PupilReportInput): void {
  writeWithin(doc, name, PAGE.left, PAGE.top, 22, WIDTH, 'bold');
  doc.fillColor(QUIET);
  const where = [className, school].filter(Boolean).join(' · ');
  doc
    .font('regular')
    .fontSize(11)
    .fillColor(QUIET)
    .text(where, PAGE.left, PAGE.top + 30, { width: WIDTH, height: 14, ellipsis: true })
    .text(days, PAGE.left, PAGE.top + 45, { width: WIDTH, height: 14, ellipsis: true });
}

const inMinutes = (seconds: number): string => {
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
};
const percent = (value: number): string => (value < 1 ? 'under 1%' : `${Math.floor(value)}%`);

function drawFigures(doc: Doc, { reading_time, accuracy, titles, level }: PupilReport, y: number): void {
  const figures = [
    ['Reading time', inMinutes(reading_time), ''],
    ['Books completed', String(titles.length), ''],
    [
      'Words read correctly',
      accuracy === null ? '–' : percent(accuracy),
      accuracy === null ? 'too few words to say' : '',
    ],
    [
      'Reading level',
      level ? String(level.reading_level) : '–',
      level ? `since ${formatLongDay(level.since)}` : 'has not read yet',
    ],
  ];
  const width = WIDTH / figures.length;
  figures.forEach(([label = '', value = '', note = ''], index) => {
    const x = PAGE.left + index * width;
    write(doc, label, x, y, 9.5, 'regular', QUIET);
    write(doc, value, x, y + 13, 18, 'bold');
    if (note) write(doc, note, x, y + 38, 8.5, 'regular', QUIET);
  });
}

const shortDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const shortMonth = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' });

/** The heading of a chart, its ground and the first and last of its stretches. */
function drawFrame(doc: Doc, title: string, { bucket, stretches }: PupilReport, box: Box): void {
  write(doc, `${title} by ${bucket}`, box.x, box.y, 11.5, 'bold');
  const ground = box.y + 24 + box.height;
  doc
    .moveTo(box.x, ground)
    .lineTo(box.x + box.width, ground)
    .lineWidth(0.8)
    .stroke(QUIET);
  const label = (day: string) => (bucket === 'month' ? shortMonth : shortDay).format(new Date(`${day}T00:00:00Z`));
  const [first, last] = [stretches[0], stretches.at(-1)];
  if (first) write(doc, label(first.day), box.x, ground + 4, 8.5, 'regular', QUIET);
  if (last && last !== first) {
    doc.font('regular').fontSize(8.5).fillColor(QUIET);
    doc.text(label(last.day), box.x, ground + 4, { width: box.width, align: 'right', lineBreak: false });
  }
}

/** A mark of the scale: a line with its value above. */
function drawMark(doc: Doc, text: string, box: Box, y: number): void {
  doc
    .moveTo(box.x, y)
    .lineTo(box.x + box.width, y)
    .lineWidth(0.5)
    .stroke(LINE);
  write(doc, text, box.x, y - 11, 8, 'regular', QUIET);
}

function drawMinutes(doc: Doc, report: PupilReport, box: Box): void {
  drawFrame(doc, 'Minutes read', report, box);
  const [top, ground] = [box.y + 38, box.y + 24 + box.height];
  const most = Math.max(60, ...report.stretches.map(({ reading_time }) => reading_time));
  drawMark(doc, inMinutes(most), box, top);
  const step = box.width / report.stretches.length;
  report.stretches.forEach(({ reading_time }, index) => {
    const height = ((ground - top) * reading_time) / most;
    if (height > 0) doc.rect(box.x + (index + 0.14) * step, ground - height, 0.72 * step, height).fill(BAR);
  });
}

function drawAccuracy(doc: Doc, report: PupilReport, box: Box): void {
  drawFrame(doc, 'Words read correctly', report, box);
  const [top, ground] = [box.y + 38, box.y + 24 + box.height];
  const values = report.stretches.flatMap(({ accuracy }) => accuracy ?? []);
  const least = Math.min(80, Math.floor(Math.min(100, ...values) / 20) * 20);
  const depth = (value: number) => ground - ((ground - top) * (value - least)) / (100 - least);
  for (const value of [100, 90]) drawMark(doc, `${value}%`, box, depth(value));
  const step = box.width / report.stretches.length;
  let before: { x: number; y: number } | undefined;
  for (const [index, { accuracy }] of report.stretches.entries()) {
    // The line is broken where there is nothing.
    const point: typeof before =
      accuracy === null ? undefined : { x: box.x + (index + 0.5) * step, y: depth(accuracy) };
    if (before && point) doc.moveTo(before.x, before.y).lineTo(point.x, point.y).lineWidth(1.6).stroke(BAR);
    if (point) doc.circle(point.x, point.y, 2).fill(BAR);
    before = point;
  }
}

function drawTitles(doc: Doc, titles: readonly string[], y: number): void {
  write(doc, 'Books completed', PAGE.left, y, 11.5, 'bold');
  if (titles.length === 0) write(doc, 'None in these days.', PAGE.left, y + 20, 11);
  const shown = titles.length > MOST_TITLES ? titles.slice(0, MOST_TITLES - 1) : titles;
  shown.forEach((title, index) => writeWithin(doc, title, PAGE.left, y + 20 + index * 19, 11, HALF));
  if (shown.length < titles.length)
    write(doc, `and ${titles.length - shown.length} more`, PAGE.left, y + 20 + shown.length * 19, 11, 'regular', QUIET);
}

function drawWords(doc: Doc, words: readonly string[], y: number): void {
  write(doc, 'Words to practise together', RIGHT, y, 11.5, 'bold');
  if (words.length === 0) write(doc, 'No word was hard in these days.', RIGHT, y + 20, 11);
  const rows = MOST_WORDS / 2;
  words.slice(0, MOST_WORDS).forEach((word, index) => {
    const x = RIGHT + (index < rows ? 0 : HALF / 2);
    writeWithin(doc, word, x, y + 19 + (index % rows) * 19, 13, HALF / 2 - 8);
  });
}

/** Lines to write on, down to the foot of the page. */
function drawTalk(doc: Doc, y: number, { product, date }: PupilReportInput): void {
  write(doc, 'From our talk', PAGE.left, y, 11.5, 'bold');
  const foot = A4.height - PAGE.bottom;
  for (let line = y + 42; line < foot - 22; line += 26)
    doc
      .moveTo(PAGE.left, line)
      .lineTo(PAGE.left + WIDTH, line)
      .lineWidth(0.6)
      .stroke(LINE);
  write(doc, `${product} · ${date}`, PAGE.left, foot - 10, 8.5, 'regular', QUIET);
}
