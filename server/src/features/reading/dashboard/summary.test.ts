import { chartCalls } from '#contract/calls/charts.ts';
import { calendarOf } from '#contract/school-calendar.ts';
import { beforeAll, expect, test } from 'vitest';
import { ABOUT_SHEET, readWorkbook } from '../../../spreadsheets/workbook.ts';
import { testApp } from '../../../testing/app.ts';
import type { BuiltSchool } from '../../../testing/builder.ts';
import { extractText, getDocumentProxy } from '../../../testing/read-pdf.ts';
import { renderSummary } from './summary.document.ts';
import { findLastTerm } from './summary.service.ts';

const app = testApp({ NEW_STATISTICS: 'limited' });
const DAYS = { start_date: '2026-11-02', end_date: '2026-11-13' };
let school: BuiltSchool;

const getSummary = async (query: Record<string, string> = {}, token = school.admin.token) =>
  (await app.call(chartCalls.getReadingSummary, { query: { ...DAYS, ...query }, token })).reply;

beforeAll(async () => {
  school = await app.build.school({ name: 'Storylark Lane', ownPupils: ['Ada', 'Ben'], otherPupils: ['Cleo'] });
  const [ada, ben] = school.ownClass.pupils.map(({ id }) => id);
  const at = (day: string, reading_time: number, book_id: number, words_correct: number) => ({
    started_at: `${day}T09:00:00Z`,
    book_id,
    reading_time,
    words_attempted: 100,
    words_correct,
  });
  await app.build.reading(school, ada ?? 0, [
    at('2026-06-03', 1200, 101, 70),
    at('2026-11-01', 9000, 101, 10),
    at('2026-11-02', 600, 101, 90),
    at('2026-11-13', 300, 103, 80),
    at('2026-11-14', 9000, 101, 10),
  ]);
  await app.build.reading(school, ben ?? 0, [at('2026-06-04', 600, 101, 80)]);
});

test('the summary counts pupils, time and accuracy by year group and level, and in the last term', async () => {
  expect(await getSummary()).toEqual({
    name: 'All classes',
    ...DAYS,
    school_days: 10,
    pupils: 4,
    readers: 1,
    reading_time: 900,
    accuracy: 85,
    last_term: {
      name: 'Summer term 2026',
      start_date: '2026-04-13',
      end_date: '2026-07-22',
      school_days: 67,
      pupils: 4,
      readers: 2,
      reading_time: 1800,
      accuracy: 75,
    },
    year_groups: [
      {
        name: 'Year 3',
        pupils: 2,
        readers: 1,
        reading_time: 900,
        accuracy: 85,
        levels: [
          { reading_level: 1, accuracy: 90 },
          { reading_level: 2, accuracy: 80 },
        ],
      },
      { name: 'Year 5', pupils: 1, readers: 0, reading_time: 0, accuracy: null, levels: [] },
      { name: 'No class', pupils: 1, readers: 0, reading_time: 0, accuracy: null, levels: [] },
    ],
  });
});

test('a class and a teacher’s own classes have their own summary, another school’s class has none', async () => {
  const own = { pupils: 2, readers: 1, reading_time: 900 };
  expect(await getSummary({ group_id: String(school.ownClass.id) })).toMatchObject({ name: 'Year 3 Wrens', ...own });
  expect(await getSummary({}, school.teacher.token)).toMatchObject({ name: 'All my classes', ...own });
  const stranger = await app.build.school({ name: 'Storylark Hill' });
  const call = { query: { ...DAYS, group_id: String(school.ownClass.id) }, token: stranger.admin.token };
  expect((await app.call(chartCalls.getReadingSummary, call)).status).toBe(404);
  expect(await getSummary({}, stranger.admin.token)).toMatchObject({ last_term: null, accuracy: null, readers: 0 });
});

test('the page for governors has the figures and no pupil’s name', async () => {
  const call = { query: { ...DAYS, output: 'pdf' as const }, token: school.admin.token };
  const { bytes } = await app.call(chartCalls.getReadingSummary, call);
  const { totalPages, text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: true });
  expect(totalPages).toBe(1);
  for (const words of [
    'Storylark Lane',
    '1 of 4',
    '3 did not read',
    '25 percentage points fewer than in summer term 2026',
  ])
    expect(text.replaceAll(/\s+/g, ' ')).toContain(words);
  expect(text).not.toMatch(/Ada|Ben|Cleo/);
});

test('the page for governors has room for all six levels', async () => {
  const figures = { pupils: 480, readers: 480, reading_time: 9_000_000, accuracy: 100 };
  const levels = [1, 2, 3, 4, 5, 6].map((reading_level) => ({ reading_level, accuracy: 100 }));
  const summary = {
    ...figures,
    ...DAYS,
    name: 'All classes',
    school_days: 10,
    last_term: null,
    year_groups: [{ ...figures, name: 'Reception', levels }],
  };
  const bytes = await renderSummary({ product: 'Storylark', school: 'Oak Row', days: '', date: '', summary });
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: true });
  for (const { reading_level } of levels) expect(text).toContain(`Level ${reading_level}`);
  expect(text.match(/100%/g)).toHaveLength(8);
  expect(text).not.toContain('…');
});

test('the workbook has a sheet for each chart, and for a pupil only the charts over time', async () => {
  const sheetsOf = async (query: Record<string, string>) => {
    const call = { query: { ...DAYS, ...query }, token: school.admin.token };
    const { bytes } = await app.call(chartCalls.downloadCharts, call);
    return readWorkbook({ name: 'charts.xlsx', content: bytes }).sheets;
  };
  const overTime = ['Accuracy over time', 'Reading time over time'];
  const sheets = await sheetsOf({});
  expect(sheets.map(({ name }) => name)).toEqual([
    ...overTime,
    'Accuracy by pupil',
    'Books read by pupil',
    'Reading time by pupil',
    ABOUT_SHEET,
  ]);
  expect(sheets[4]?.rows.find(({ cells }) => cells[0] === 'Ada')?.cells).toEqual(['Ada', '600', '300', '900']);
  const ofPupil = await sheetsOf({ reader_id: String(school.ownClass.pupils[0]?.id) });
  expect(ofPupil.map(({ name }) => name)).toEqual([...overTime, ABOUT_SHEET]);
});

test.each([
  ['2026-11-02', 'Summer term 2026'],
  ['2026-12-25', 'Autumn term 2026'],
  ['2027-01-05', 'Autumn term 2026'],
  ['2027-04-20', 'Spring term 2027'],
  ['2026-08-31', 'Summer term 2026'],
])('the last term before %s is the %s', (day, name) => {
  expect(findLastTerm(calendarOf({}, null), day)?.name).toBe(name);
});
