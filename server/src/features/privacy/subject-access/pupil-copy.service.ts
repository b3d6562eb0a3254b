import { findYear, yearText, formatYearGroup, toRecordedYearGroup, yearGroupOn } from '#contract/year-group.ts';
import type { CopyChart, CopySection } from './copy-page.document.ts';
import { type CopyDigest, type MonthOfReading, NO_READING } from './copy-digest.service.ts';
import {
  countOf,
  formatAge,
  formatMinutes,
  formatMonth,
  formatNumber,
  formatShortDay,
  formatTimes,
} from './copy-format.service.ts';
import {
  changeSection,
  type CopyContent,
  entrySection,
  foldMonths,
  inFile,
  loginSection,
  MAX_ROWS,
  purposeSection,
  restOf,
  sectionOf,
  tableOfSpans,
  textSection,
} from './copy-page.service.ts';
import { formatLongDay } from '../../../clock.ts';

/** Fewer words are too small a sample for an accuracy. */
const MIN_WORDS = 100;
const MAX_HARD_WORDS = 40;
const MAX_BOOKS = 60;
/** People who are named on the first page. */
const MAX_NAMED = 4;
/** Months of the chart on the first page. */
const CHART_MONTHS = 12;

const addMonths = (a: MonthOfReading, b: MonthOfReading): MonthOfReading => ({
  days: a.days + b.days,
  seconds: a.seconds + b.seconds,
  pages: a.pages + b.pages,
  words: a.words + b.words,
  correct: a.correct + b.correct,
  finished: a.finished + b.finished,
});

const minutesOf = (seconds: number): number => Math.round(seconds / 60);

const shareOf = ({ words, correct }: MonthOfReading): string =>
  words < MIN_WORDS ? '–' : `${Math.floor((100 * correct) / words)}%`;

/** The first page about a pupil: who, where, how long, what was read, at which level, and who looked. */
export function summarisePupil({ name, school, product, today, digest }: CopyContent): string[] {
  const [pupil] = digest.latest('pupils');
  const className = typeof pupil?.class_name === 'string' ? pupil.class_name : null;
  const formerClass = typeof pupil?.archived_from_name === 'string' ? pupil.archived_from_name : null;
  const dayOf = (value: unknown) => (value instanceof Date ? digest.dayOf(value) : null);
  const year = describeYear(digest, className ?? formerClass, today);
  const [since, archivedOn] = [dayOf(pupil?.created_at), dayOf(pupil?.archived_at)];
  const place = archivedOn
    ? `${name} was a pupil at ${school}${formerClass ? `, in the class ${formerClass}${year}` : ''}, and was moved to the archive on ${formatLongDay(archivedOn)}.`
    : `${name} is a pupil at ${school}, ${className ? `in the class ${className}${year}` : `in no class at the moment${year}`}.`;
  return [
    `${place}${since ? ` The school added ${name} to ${product} on ${formatLongDay(since)}, ${since === today ? 'today' : `${formatAge(since, today)} ago`}.` : ''}`,
    describeReading(name, [...digest.months.values()].reduce(addMonths, NO_READING), digest.latestLevel),
    describeViewers(digest),
  ];
}

/** The current year group in brackets, or else the one in the name of the class; nothing if the name says it. */
function describeYear(digest: CopyDigest, className: string | null, today: string): string {
  const [pupil] = digest.latest('pupils');
  const current = pupil && yearGroupOn(toRecordedYearGroup(pupil as Parameters<typeof toRecordedYearGroup>[0]), today);
  const inName = findYear(className ?? '')?.year;
  const year = current ? formatYearGroup(current) : inName === undefined ? null : yearText(inName);
  return year === null || className?.includes(year) ? '' : ` (${year})`;
}

function describeReading(name: string, total: MonthOfReading, level: number | null): string {
  if (total.days === 0) return `${name} has not read anything yet.`;
  const parts = [
    `${name} has read for ${formatMinutes(minutesOf(total.seconds))} on ${countOf(total.days, 'day')}: ${countOf(total.pages, 'page')} and ${countOf(total.words, 'word')}; ${total.finished === 0 ? 'no book is finished yet' : `a book was finished ${formatTimes(total.finished)}`}.`,
    ...(total.words < MIN_WORDS
      ? []
      : [`Of every 100 words, ${Math.floor((100 * total.correct) / total.words)} were read correctly.`]),
    ...(level === null
      ? []
      : [
          `The last book was of level ${level}. There are six levels: level 1 is for first readers, level 6 for confident ones.`,
        ]),
  ];
  return parts.join(' ');
}

function describeViewers({ viewers, listViewers }: CopyDigest): string {
  const all = viewers.list();
  if (all.length === 0)
    return listViewers.total()
      ? 'No member of staff is recorded as having looked at this record on its own, but only in lists.'
      : 'No member of staff is recorded as having looked at this record.';
  const names = all.slice(0, MAX_NAMED).map(({ key, count }) => `${key} ${formatTimes(count)}`);
  const others = all.length - names.length;
  return `In the last 12 months, ${countOf(all.length, 'person', 'people')} looked at this record: ${names.join(', ')}${others > 0 ? ` and ${countOf(others, 'other')}` : ''}.`;
}

/** The minutes of the last months with reading, and those between. */
export function chartReading({ digest }: CopyContent): CopyChart | null {
  const read = [...digest.months].flatMap(([month, { seconds }]) => (seconds > 0 ? month : [])).sort();
  const last = read.at(-1);
  if (last === undefined) return null;
  const [year = 0, number = 0] = last.split('-').map(Number);
  const months = Array.from({ length: CHART_MONTHS }, (_, index) =>
    new Date(Date.UTC(year, number - CHART_MONTHS + index, 1)).toISOString().slice(0, 7),
  ).filter((month) => month >= (read[0] ?? month));
  return {
    title: 'Reading time by month',
    bars: months.map((month) => {
      const minutes = minutesOf(digest.months.get(month)?.seconds ?? 0);
      return { label: formatMonth(month), value: minutes, text: formatMinutes(minutes) };
    }),
  };
}

/** The sections of a copy about a pupil. */
export const listPupilSections = (content: CopyContent): CopySection[] => [
  ...readingSection(content),
  ...bookSection(content),
  ...wordSection(content),
  ...textSection(content),
  ...helpSection(content),
  ...viewSection(content),
  ...changeSection(content, 'What staff changed'),
  ...loginSection(content),
  ...assignedSection(content),
  ...requestSection(content),
  ...entrySection(content, 'Account and school records', ['pupils', 'sessions', 'school_records_pupils']),
  ...purposeSection(content),
];

function readingSection({ digest }: CopyContent): CopySection[] {
  if (digest.months.size === 0) return [];
  const months = foldMonths(digest.months, addMonths);
  const row = (name: string, figures: MonthOfReading, minutes: number) => [
    name,
    formatNumber(figures.days),
    formatNumber(minutes),
    formatNumber(figures.pages),
    formatNumber(figures.words),
    shareOf(figures),
    formatNumber(figures.finished),
  ];
  const total = months.map(([, figures]) => figures).reduce(addMonths, NO_READING);
  return sectionOf('What was read, by month', {
    tables: [
      {
        columns: [
          { name: 'Month', width: 2.4 },
          ...['Days', 'Minutes', 'Pages', 'Words', 'Read correctly', 'Books finished'].map((name) => ({
            name,
            width: 1.3,
            isNumber: true,
          })),
        ],
        rows: months.map(([name, figures]) => row(name, figures, minutesOf(figures.seconds))),
        // The sum of the rows above, so that it agrees with them.
        total: row(
          'Total',
          total,
          months.reduce((sum, [, { seconds }]) => sum + minutesOf(seconds), 0),
        ),
        note: 'Days are days with reading. Minutes are active reading time. “Read correctly” is the share of the words; a dash stands for fewer than 100 words.',
      },
    ],
  });
}

function bookSection({ digest }: CopyContent): CopySection[] {
  const books = [...digest.books.values()].sort((a, b) => (a.last < b.last ? 1 : -1));
  if (books.length === 0) return [];
  const shown = books.slice(0, MAX_BOOKS);
  return sectionOf('Books', {
    tables: [
      {
        columns: [
          { name: 'Title', width: 4 },
          { name: 'Level', width: 0.8 },
          { name: 'First read', width: 1.7 },
          { name: 'Last read', width: 1.7 },
          { name: 'Finished', width: 1.7 },
          { name: 'Minutes', width: 1.1, isNumber: true },
        ],
        rows: shown.map(({ title, level, seconds, first, last, finishedOn }) => [
          title,
          String(level),
          formatShortDay(first),
          formatShortDay(last),
          finishedOn === null ? '–' : formatShortDay(finishedOn),
          formatNumber(minutesOf(seconds)),
        ]),
        note: restOf(shown.length, books.length, 'row', 'reading_sessions'),
      },
    ],
  });
}

function wordSection({ digest }: CopyContent): CopySection[] {
  const words = digest.hardWords.list();
  if (words.length === 0) return [];
  const shown = words.slice(0, MAX_HARD_WORDS);
  return sectionOf('Words that were hard', {
    sentences: [
      `${shown.length < words.length ? `The ${shown.length} words` : 'Words'} that the pupil most often asked to hear or did not read, and how often.`,
      `${shown.map(({ key, count }) => `${key} (${formatNumber(count)})`).join(', ')}.`,
    ],
  });
}

function helpSection({ digest }: CopyContent): CopySection[] {
  const rows = digest.latest('need_responses').toReversed();
  if (rows.length === 0) return [];
  const shown = rows.slice(0, MAX_ROWS);
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  return sectionOf('When help was needed', {
    tables: [
      {
        columns: [
          { name: 'Day', width: 1.6 },
          { name: 'Why', width: 4 },
          { name: 'What was done', width: 2 },
          { name: 'By', width: 2 },
        ],
        rows: shown.map((row) => [
          row.responded_at instanceof Date ? formatShortDay(digest.dayOf(row.responded_at)) : '',
          text(row.reason),
          row.response === 'snoozed' ? 'Put off until later' : 'Helped',
          text(row.responded_by_name),
        ]),
        note: restOf(shown.length, digest.counts.get('need_responses') ?? 0, 'entry', 'need_responses'),
      },
    ],
  });
}

const viewSection = ({ digest }: CopyContent): CopySection[] =>
  sectionOf('Who looked', {
    tables: [
      ...tableOfSpans(digest.viewers, digest, { name: 'Who looked', counted: 'Times', table: 'daily_views' }),
      ...tableOfSpans(digest.listViewers, digest, {
        name: 'Who saw a list with this record',
        counted: 'Times',
        table: 'daily_views',
      }),
    ],
  });

function assignedSection({ digest }: CopyContent): CopySection[] {
  const titles = (table: 'class_books' | 'pupil_books') =>
    digest.latest(table).flatMap(({ book_name: title }) => (typeof title === 'string' ? title : []));
  const sentence = (to: string, table: 'class_books' | 'pupil_books') => {
    const all = titles(table);
    const total = digest.counts.get(table) ?? 0;
    const shown = all.slice(-MAX_ROWS);
    const hidden = total - shown.length;
    return total === 0
      ? []
      : [
          `To the ${to}: ${shown.join('; ')}${hidden > 0 ? `; and ${formatNumber(hidden)} more in ${inFile(table)}` : ''}.`,
        ];
  };
  return sectionOf('Assigned books', {
    sentences: [...sentence('class', 'class_books'), ...sentence('pupil', 'pupil_books')],
  });
}

const requestSection = ({ digest }: CopyContent): CopySection[] =>
  sectionOf('Requests for a copy', {
    sentences: digest
      .latest('subject_requests')
      .flatMap(({ received_on: day, closed_at: at }) =>
        typeof day === 'string'
          ? `The school received a request on ${formatLongDay(day)}${at instanceof Date ? ` and closed it on ${formatLongDay(digest.dayOf(at))}` : ''}.`
          : [],
      ),
  });
