import { addDays } from '../../../clock.ts';
import { inSchool } from '../../../database/school.ts';
import type { Services } from '../../../context.ts';
import { enqueue, enqueueForSchools, type Job } from '../../../jobs/queue.ts';
import { dayOf, endOfDay, startOfDay } from '../subscriptions/subscriptions.public.ts';
import { listBilledSchools } from './reminders.queries.ts';
import { MAX_LATE_DAYS, sendReminders } from './reminders.service.ts';

const SCHOOL_REMINDERS_JOB = 'billing-reminders-of-school';

/** Each morning: enqueues a job for each school with an invoice or subscription event due today. */
export const remindersJob = ({ database, clock }: Services): Job => ({
  name: 'billing-reminders',
  schedule: '30 7 * * *',
  run: async (_data, signal) => {
    const today = dayOf(clock.now());
    const from = startOfDay(addDays(today, -MAX_LATE_DAYS - 1));
    const to = endOfDay(addDays(today, 60));
    await enqueueForSchools(database, signal, async (db, after, limit) => {
      const starts = [today, addDays(today, 30)] as const;
      const schools = await listBilledSchools(db, from, to, addDays(today, 7), starts, after, limit);
      for (const schoolId of schools) await enqueue(db, SCHOOL_REMINDERS_JOB, { schoolId });
      return schools.at(-1);
    });
  },
});

/** Sends the reminders of one school. */
export const schoolRemindersJob = ({ database, clock, config }: Services): Job<{ schoolId: number }> => ({
  name: SCHOOL_REMINDERS_JOB,
  concurrency: 3,
  run: ({ schoolId }) => inSchool(database, schoolId, (db) => sendReminders(db, config, clock.now())),
});
