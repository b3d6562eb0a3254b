import { chartCalls } from '#contract/calls/charts.ts';
import { recentDays } from '#contract/accuracy.ts';
import { classReadingCalls } from '#contract/calls/class-reading.ts';
import { pupilProgressCalls } from '#contract/calls/pupil-progress.ts';
import { readingNeedsCalls } from '#contract/calls/reading-needs.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import { findCurrentLevel } from '../dashboard/dashboard.public.ts';

const app = testApp();
const TODAY = '2026-11-18';
const { from, to } = recentDays(TODAY);
const RANGE = { start_date: from, end_date: to };

/** Books at levels 1 and 5. */
const BOOKS = [101, 205] as const;
const anySession = fc
  .record({
    book_id: fc.constantFrom(...BOOKS),
    /** Around the first of the 42 days, or any time until now. */
    hoursAgo: fc.oneof(fc.integer({ min: 40 * 24, max: 43 * 24 }), fc.nat(60 * 24)),
    words_attempted: fc.nat(300),
    share: fc.integer({ min: 0, max: 20 }),
  })
  .map(({ hoursAgo, share, words_attempted, ...rest }) => ({
    ...rest,
    started_at: new Date(Date.parse(`${TODAY}T12:00:00Z`) - hoursAgo * 3_600_000).toISOString(),
    words_attempted,
    words_correct: Math.floor((words_attempted * share) / 20),
  }));

test('the list, the class table, the charts and the evidence show the same accuracy for the same days and level', async () => {
  app.setTime(`${TODAY}T12:00:00.000Z`);
  let reasons = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(anySession, { minLength: 1, maxLength: 12 }), async (sessions) => {
      const school = await app.build.school({ ownPupils: ['Ada'], otherPupils: [] });
      const { token } = school.teacher;
      const pupilId = school.ownClass.pupils[0]?.id ?? 0;
      await app.build.assign(school, { classId: school.ownClass.id }, [101]);
      await app.build.reading(school, pupilId, sessions);
      await app.call(readingNeedsCalls.updateNeedThresholds, {
        params: { id: school.id },
        body: { days_without_reading: 0, accuracy_below: 100, falling_by: 0, same_word_in: 0, book_begun: 0 },
        token: school.admin.token,
      });
      const evidenceAt = async (level?: number) => {
        const { reply } = await app.call(pupilProgressCalls.getPupilAccuracy, {
          params: { id: school.id, readerId: pupilId },
          query: { ...RANGE, ...(level === undefined ? {} : { level: String(level) }) },
          token,
        });
        const sum = (column: 'words_attempted' | 'words_correct') =>
          reply.sessions.reduce((total, session) => total + session[column], 0);
        expect([reply.words_attempted, reply.words_correct]).toEqual([sum('words_attempted'), sum('words_correct')]);
        return reply.accuracy;
      };

      const { reading } = (
        await app.call(classReadingCalls.getClassReading, {
          params: { id: school.id, groupId: school.ownClass.id },
          token,
        })
      ).reply;
      const { chart } = (
        await app.call(chartCalls.getChart, {
          query: { name: 'readers_accuracy_by_reading_level', ...RANGE, reader_id: String(pupilId) },
          token,
        })
      ).reply;
      const overall = await evidenceAt();
      expect([reading.readers[0]?.accuracy, reading.accuracy, chart.average]).toEqual([overall, overall, overall]);
      for (const { level, data } of chart.series)
        expect(await evidenceAt(level ?? undefined), `level ${level}`).toBe(data[0]);

      const needs = (await app.call(readingNeedsCalls.listReadingNeeds, { params: { id: school.id }, token })).reply;
      const need = needs.readers[0]?.needs[0]?.evidence;
      if (need?.kind !== 'low_accuracy') return;
      reasons += 1;
      expect(need.accuracy).toBe(await evidenceAt(need.reading_level));
      expect(need.reading_level).toBe(reading.readers[0]?.reading_level);
    }),
    { numRuns: 12 },
  );
  expect(reasons).toBeGreaterThan(0);
});

test('the current level is the highest of the latest day with reading, not of all days', () => {
  const at = (reading_level: number, last_day: string) => ({
    pupil_id: 1,
    reading_level,
    last_day,
    words_attempted: 100,
    words_correct: 90,
  });
  const totals = [at(5, '2026-11-16'), at(2, '2026-11-17'), at(3, '2026-11-17')];
  expect(findCurrentLevel(totals)?.reading_level).toBe(3);
  expect(findCurrentLevel([])).toBeNull();
});
