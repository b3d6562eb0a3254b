import { A4, type Doc, INK, QUIET, writePdf } from '../../../pdf/write-pdf.ts';
import { formatLongDay } from '../../../clock.ts';
import type { PupilReport } from './pupil-progress.service.ts';

declare module '../../../workers/worker-pool.ts' {
  interface WorkerTasks {
    renderPupilReports: typeof renderPupilReports;
  }
}

interface PupilReportsInput {
  product: string;
  school: string;
  /** The date range, formatted. */
  days: string;
  /** The day of printing, formatted. */
  date: string;
  pages: readonly { name: string; className: string | null; report: PupilReport }[];
}
/** The content of one page. No one but the pupil is named. */
type PageInput = Omit<PupilReportsInput, 'pages'> & PupilReportsInput['pages'][number];

type Bucket = PupilReport['buckets'][number];
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
const MAX_TITLES = 10;
/** Printed in two columns. */
const MAX_WORDS = 20;

/** A page for each pupil for a parents' evening, with space for notes and a bookmark. Runs in a worker. */
export function renderPupilReports({ pages, ...common }: PupilReportsInput): Promise<Uint8Array> {
  const title = pages.length === 1 ? `How ${pages[0]?.name} reads` : `How ${pages.length} pupils read`;
  return writePdf({ title, product: common.product }, (doc) => {
    for (const page of pages) {
      doc.section('Sect', () => writePage(doc, { ...common, ...page }));
      if (pages.length > 1) doc.outline.addItem(page.name);
    }
  });
}

function writePage(doc: Doc, page: PageInput): void {
  doc.addPage();
  drawHeading(doc, page);
  drawFigures(doc, page.report, PAGE.top + 68);
  const explanation = PAGE.top + 128;
  const charts = explanation + explain(doc, page.report, explanation) + 16;
  const { report } = page;
  const box = { x: PAGE.left, y: charts, width: HALF, height: 120 };
  const timeOf = ({ reading_time: time }: Bucket) => (time > 0 ? inMinutes(time) : null);
  drawChart(doc, 'Minutes read', report, box, timeOf, () => drawMinutes(doc, report, box));
  const right = { ...box, x: RIGHT };
  const accuracyOf = ({ accuracy }: Bucket) => (accuracy === null ? null : percent(accuracy));
  drawChart(doc, 'Words read correctly', report, right, accuracyOf, () => drawAccuracy(doc, report, right));
  const lists = charts + 180;
  drawTitles(doc, page.report.titles, lists);
  drawWords(doc, page.report.words, lists);
  drawNotes(doc, lists + 236, page);
}

/** What the accuracy and the level mean, for parents. Returns the height of the text. */
function explain(doc: Doc, { accuracy, level }: PupilReport, y: number): number {
  const sentences = [
    accuracy !== null &&
      `${percent(accuracy)} means that ${Math.floor(accuracy)} of 100 words were read correctly. ${
        accuracy >= 95
          ? 'From 95, a book is comfortable to read alone.'
          : accuracy >= 90
            ? 'From 90 to 94, a book is right for learning.'
            : 'Below 90, a book is hard: reading it together helps.'
      }`,
    level &&
      `Level ${level.reading_level} is one of six reading levels: level 1 is for first readers, level 6 for confident ones.`,
  ].filter(Boolean);
  if (sentences.length === 0) return 0;
  const text = sentences.join(' ');
  doc.font('regular').fontSize(10).fillColor(INK);
  doc.tag('P', () => doc.text(text, PAGE.left, y, { width: WIDTH }));
  return doc.heightOfString(text, { width: WIDTH });
}

const write = (doc: Doc, text: string, x: number, y: number, size: number, font = 'regular', colour = INK): void => {
  doc.font(font).fontSize(size).fillColor(colour).text(text, x, y, { lineBreak: false });
};

/** Writes one line, truncated with an ellipsis. */
const writeTruncated = (
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

function drawHeading(doc: Doc, { name, className, school, days }: PageInput): void {
  doc.tag('H1', () => writeTruncated(doc, name, PAGE.left, PAGE.top, 22, WIDTH, 'bold'));
  const where = [className, school].filter(Boolean).join(' · ');
  doc.font('regular').fontSize(11).fillColor(QUIET);
  const box = { width: WIDTH, height: 14, ellipsis: true };
  doc.tag('P', () => doc.text(where, PAGE.left, PAGE.top + 30, box));
  doc.tag('P', () => doc.text(days, PAGE.left, PAGE.top + 45, box));
}

const inMinutes = (seconds: number): string => {
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h${minutes % 60 === 0 ? '' : ` ${minutes % 60} min`}`;
};
const percent = (value: number): string => (value < 1 ? 'under 1%' : `${Math.floor(value)}%`);

function drawFigures(doc: Doc, { reading_time, accuracy, titles, level }: PupilReport, y: number): void {
  const figures = [
    ['Reading time', inMinutes(reading_time), ''],
    ['Books completed', String(titles.length), ''],
    [
      'Words read correctly',
      accuracy === null ? '–' : percent(accuracy),
      accuracy === null ? 'fewer than 100 words read' : '',
    ],
    [
      'Reading level',
      level ? String(level.reading_level) : '–',
      level ? `since ${formatLongDay(level.since)}` : 'has never read',
    ],
  ];
  const width = WIDTH / figures.length;
  figures.forEach(([label = '', value = '', note = ''], index) => {
    const x = PAGE.left + index * width;
    doc.tag('H2', () => write(doc, label, x, y, 9.5, 'regular', QUIET));
    doc.tag('P', () => write(doc, value, x, y + 13, 18, 'bold'));
    if (note) doc.tag('P', () => write(doc, note, x, y + 38, 8.5, 'regular', QUIET));
  });
}

const shortDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const shortMonth = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' });

const labelOf = (bucket: PupilReport['bucket'], day: string): string =>
  (bucket === 'month' ? shortMonth : shortDay).format(new Date(`${day}T00:00:00Z`));

/** A heading, and a figure whose alternative text lists the values; `valueOf` returns null for a bucket without one. */
function drawChart(
  doc: Doc,
  title: string,
  { bucket, buckets }: PupilReport,
  box: Box,
  valueOf: (bucket: Bucket) => string | null,
  draw: () => void,
): void {
  doc.tag('H2', () => write(doc, `${title} by ${bucket}`, box.x, box.y, 11.5, 'bold'));
  const values = buckets.flatMap((each) => {
    const value = valueOf(each);
    return value === null ? [] : [`${labelOf(bucket, each.day)}: ${value}`];
  });
  const rest = values.length < buckets.length ? `No reading on the other ${bucket}s.` : '';
  const alt = values.length === 0 ? 'Chart: no reading.' : `Chart. ${values.join('; ')}. ${rest}`.trim();
  const bottom = box.y + 24 + box.height + 16;
  doc.tag('Figure', draw, { alt, bbox: [box.x, box.y + 16, box.x + box.width, bottom] });
}

/** A chart's baseline, and first and last labels. */
function drawFrame(doc: Doc, { bucket, buckets }: PupilReport, box: Box): void {
  const ground = box.y + 24 + box.height;
  doc
    .moveTo(box.x, ground)
    .lineTo(box.x + box.width, ground)
    .lineWidth(0.8)
    .stroke(QUIET);
  const label = (day: string) => labelOf(bucket, day);
  const [first, last] = [buckets[0], buckets.at(-1)];
  if (first) write(doc, label(first.day), box.x, ground + 4, 8.5, 'regular', QUIET);
  if (last && last !== first) {
    doc.font('regular').fontSize(8.5).fillColor(QUIET);
    doc.text(label(last.day), box.x, ground + 4, { width: box.width, align: 'right', lineBreak: false });
  }
}

/** A gridline with its value above. */
function drawGridline(doc: Doc, text: string, box: Box, y: number): void {
  doc
    .moveTo(box.x, y)
    .lineTo(box.x + box.width, y)
    .lineWidth(0.5)
    .stroke(LINE);
  write(doc, text, box.x, y - 11, 8, 'regular', QUIET);
}

/** The top of a scale: a time with a simple half, in seconds. */
const roundUp = (seconds: number): number => {
  const minutes = [2, 4, 10, 20, 30, 40, 60, 90, 120, 180, 240].find((each) => seconds <= each * 60);
  return minutes === undefined ? Math.ceil(seconds / 7200) * 7200 : minutes * 60;
};

function drawMinutes(doc: Doc, report: PupilReport, box: Box): void {
  drawFrame(doc, report, box);
  const [top, ground] = [box.y + 38, box.y + 24 + box.height];
  const longest = roundUp(Math.max(60, ...report.buckets.map(({ reading_time }) => reading_time)));
  for (const share of [1, 0.5]) drawGridline(doc, inMinutes(longest * share), box, ground - (ground - top) * share);
  write(doc, '0', box.x, ground - 11, 8, 'regular', QUIET);
  const step = box.width / report.buckets.length;
  report.buckets.forEach(({ reading_time }, index) => {
    const height = ((ground - top) * reading_time) / longest;
    if (height > 0) doc.rect(box.x + (index + 0.14) * step, ground - height, 0.72 * step, height).fill(BAR);
  });
}

function drawAccuracy(doc: Doc, report: PupilReport, box: Box): void {
  drawFrame(doc, report, box);
  const [top, ground] = [box.y + 38, box.y + 24 + box.height];
  const values = report.buckets.flatMap(({ accuracy }) => accuracy ?? []);
  const lowest = Math.min(80, Math.floor(Math.min(100, ...values) / 20) * 20);
  const depth = (value: number) => ground - ((ground - top) * (value - lowest)) / (100 - lowest);
  for (const value of [100, 90]) drawGridline(doc, `${value}%`, box, depth(value));
  write(doc, `${lowest}%`, box.x, ground - 11, 8, 'regular', QUIET);
  const step = box.width / report.buckets.length;
  let previous: { x: number; y: number } | undefined;
  for (const [index, { accuracy }] of report.buckets.entries()) {
    // A bucket without reading breaks the line.
    const point: typeof previous =
      accuracy === null ? undefined : { x: box.x + (index + 0.5) * step, y: depth(accuracy) };
    if (previous && point) doc.moveTo(previous.x, previous.y).lineTo(point.x, point.y).lineWidth(1.6).stroke(BAR);
    if (point) doc.circle(point.x, point.y, 2).fill(BAR);
    previous = point;
  }
}

const drawList = (doc: Doc, texts: readonly string[], draw: (text: string, index: number) => void) =>
  doc.section('L', () => texts.forEach((text, index) => doc.item(() => doc.tag('P', () => draw(text, index)))));

function drawTitles(doc: Doc, titles: readonly string[], y: number): void {
  doc.tag('H2', () => write(doc, 'Books completed', PAGE.left, y, 11.5, 'bold'));
  if (titles.length === 0) return doc.tag('P', () => write(doc, 'None in these dates.', PAGE.left, y + 20, 11));
  const shown = titles.length > MAX_TITLES ? titles.slice(0, MAX_TITLES - 1) : titles;
  drawList(doc, shown, (title, index) => writeTruncated(doc, title, PAGE.left, y + 20 + index * 19, 11, HALF));
  const rest = `and ${titles.length - shown.length} more`;
  if (shown.length < titles.length)
    doc.tag('P', () => write(doc, rest, PAGE.left, y + 20 + shown.length * 19, 11, 'regular', QUIET));
}

function drawWords(doc: Doc, words: readonly string[], y: number): void {
  doc.tag('H2', () => write(doc, 'Words to practise together', RIGHT, y, 11.5, 'bold'));
  if (words.length === 0)
    return doc.tag('P', () => write(doc, 'No difficult words in these dates.', RIGHT, y + 20, 11));
  const rows = MAX_WORDS / 2;
  drawList(doc, words.slice(0, MAX_WORDS), (word, index) => {
    const x = RIGHT + (index < rows ? 0 : HALF / 2);
    writeTruncated(doc, word, x, y + 19 + (index % rows) * 19, 13, HALF / 2 - 8);
  });
}

/** Lines to write on, down to the bottom of the page. */
function drawNotes(doc: Doc, y: number, { product, date }: PageInput): void {
  doc.tag('H2', () => write(doc, 'Notes from our meeting', PAGE.left, y, 11.5, 'bold'));
  const bottom = A4.height - PAGE.bottom;
  for (let line = y + 42; line < bottom - 22; line += 26)
    doc
      .moveTo(PAGE.left, line)
      .lineTo(PAGE.left + WIDTH, line)
      .lineWidth(0.6)
      .stroke(LINE);
  write(doc, `${product} · ${date}`, PAGE.left, bottom - 10, 8.5, 'regular', QUIET);
}
