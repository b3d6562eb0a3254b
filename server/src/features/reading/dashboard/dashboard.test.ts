import { chartCalls, CHART_NAMES } from '#contract/calls/charts.ts';
import { errorReply } from '#contract/error-reply.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import type { BuiltSchool } from '../../../testing/builder.ts';

const app = testApp();
let school: BuiltSchool;
beforeAll(async () => {
  school = await app.build.school({ ownPupils: ['Ada Baker'], otherPupils: [] });
  await app.build.reading(school, school.ownClass.pupils[0]?.id ?? 0, [
    { started_at: '2026-11-16T09:00:00Z', book_id: 101, reading_time: 100, words_attempted: 3, words_correct: 2 },
    { started_at: '2026-11-18T09:00:00Z', book_id: 205, reading_time: 50 },
  ]);
});

const RANGE = { start_date: '2026-11-16', end_date: '2026-11-18' };
const ask = (query: Record<string, string>) =>
  app.ask('GET', `/charts?${new URLSearchParams({ name: CHART_NAMES[0], ...RANGE, ...query })}`, {
    token: school.admin.token,
  });

describe('invalid chart queries', () => {
  test.each([
    ['end before start', { start_date: '2026-11-18', end_date: '2026-11-17' }, 'end_date'],
    [
      'end before start, by the clock',
      { start_date: '2026-11-18T10:00:00Z', end_date: '2026-11-18T09:59:00Z' },
      'end_date',
    ],
    [
      'end before start, with a moment at one end',
      { start_date: '2026-11-18T10:00:00Z', end_date: '2026-11-17' },
      'end_date',
    ],
    ['a start before 2018', { start_date: '2017-12-31' }, 'start_date'],
    ['a start in the year 0', { start_date: '0000-01-01' }, 'start_date'],
    ['a start in the future', { start_date: '2026-11-19', end_date: '2026-11-19' }, 'start_date'],
    ['an end after tomorrow', { end_date: '2026-11-20' }, 'end_date'],
    ['an end in the year 9999', { end_date: '9999-12-31' }, 'end_date'],
    ['an end beyond the year 9999', { end_date: '9999-12-31T23:59:59-23:59' }, 'end_date'],
    ['a day that does not exist', { start_date: '2026-02-29' }, 'start_date'],
    ['a day without digits', { start_date: 'yesterday' }, 'start_date'],
    ['a moment without an offset', { start_date: '2026-11-16T00:00:00' }, 'start_date'],
    ['an unknown chart', { name: 'readers_height' }, 'name'],
    ['no chart', { name: '' }, 'name'],
    ['another output', { output: 'pdf' }, 'output'],
    ['a class that is no id', { group_id: 'all' }, 'group_id'],
    ['a class and a pupil', { group_id: '1', reader_id: '1' }, 'reader_id'],
  ])('%s', async (_, query, field) => {
    const { status, error } = await ask(query);
    expect({ status, fields: Object.keys(error.errors ?? {}) }).toEqual({ status: 422, fields: [field] });
    expect(errorReply.parse(error).error).not.toBe('');
  });

  test('a chart without parameters is rejected with every missing parameter', async () => {
    const { status, error } = await app.ask('GET', '/charts', { token: school.admin.token });
    expect({ status, fields: Object.keys(error.errors ?? {}).sort() }).toEqual({
      status: 422,
      fields: ['end_date', 'name', 'start_date'],
    });
  });
});

describe('range of a chart', () => {
  const labels = async (query: Record<string, string>) => {
    const { reply } = await ask(query);
    return (reply as { chart: { labels: string[] } }).chart.labels;
  };

  test.each([
    [
      'ends today when it is requested to end tomorrow',
      { end_date: '2026-11-19' },
      ['2026-11-16', '2026-11-17', '2026-11-18'],
    ],
    [
      'may end with the last moment of today',
      { end_date: '2026-11-18T23:59:59.999Z' },
      ['2026-11-16', '2026-11-17', '2026-11-18'],
    ],
    ['may be one day', { start_date: '2026-11-18', end_date: '2026-11-18' }, ['2026-11-18']],
    [
      'may begin with a moment of the day on which it ends',
      { start_date: '2026-11-18T10:00:00Z', end_date: '2026-11-18' },
      ['2026-11-18'],
    ],
    [
      'is of days in London in summer',
      { start_date: '2026-07-14T23:00:00Z', end_date: '2026-07-16T22:59:59Z' },
      ['2026-07-15', '2026-07-16'],
    ],
  ])('%s', async (_, query, expected) => {
    expect(await labels(query)).toEqual(expected);
  });

  test('a chart may cover everything since 2018, by month', async () => {
    const months = await labels({ start_date: '2018-01-01' });
    expect(months).toHaveLength(9 * 12 - 1);
    expect([months[0], months.at(-1)]).toEqual(['2018-01-01', '2026-11-01']);
  });
});

describe('charts as CSV', () => {
  const lines = (text: string) => text.slice(1).trimEnd().split('\r\n');
  const csv = (name: string, token = school.admin.token, query: Record<string, string> = {}) =>
    app.ask('GET', `/charts?${new URLSearchParams({ name, ...RANGE, output: 'csv', ...query })}`, { token });

  test('a chart as CSV is a download with a byte order mark', async () => {
    const { status, headers, text } = await csv('readers_accuracy_by_reading_level');
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(headers['content-disposition']).toBe(
      "attachment; filename*=UTF-8''readers_accuracy_by_reading_level_2026-11-16_2026-11-18.csv",
    );
    expect(headers['cache-control']).toBe('no-store');
    expect(text.startsWith('\uFEFF')).toBe(true);
    expect(text.endsWith('\r\n')).toBe(true);
  });

  test.each(CHART_NAMES)('the CSV file of %s has the figures of the chart', async (name) => {
    const { reply } = await app.call(chartCalls.getChart, { query: { name, ...RANGE }, token: school.admin.token });
    const { labels, series } = reply.chart;
    const [heading, ...rows] = lines((await csv(name)).text).map((line) => line.split(','));
    expect(heading?.slice(1)).toEqual(series.map((line) => line.name));
    expect(rows.map(([label]) => label)).toEqual(labels);
    for (const [index, row] of rows.entries())
      expect(row.slice(1).map((cell) => (cell === '' ? null : Number(cell)))).toEqual(
        series.map(({ data }) => data[index]),
      );
  });

  test('the CSV file of a chart keeps a name in its cell and formulas inert', async () => {
    const odd = await app.build.school({
      ownPupils: ['Comma, Ann', 'Quote "Q" Ben', '=1+1', '+44', '-Dash', '@Sum', '\tTab', 'Line\nBreak', 'Zoë'],
      otherPupils: [],
    });
    const { text } = await csv('readers_reading_time_by_reading_level', odd.admin.token, {
      group_id: String(odd.ownClass.id),
    });
    const body = text.slice(text.indexOf('\r\n') + 2);
    for (const cell of [
      '"Comma, Ann",',
      '"Quote ""Q"" Ben",',
      "'=1+1,",
      "'+44,",
      "'-Dash,",
      "'@Sum,",
      "'\tTab,",
      '"Line\nBreak",',
      'Zoë,',
    ])
      expect(body).toContain(cell);
    expect(body).not.toMatch(/(^|[\n,])[=+@\t-]/);
  });
});
