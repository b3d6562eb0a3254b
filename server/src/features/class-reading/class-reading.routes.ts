import { defineHandlers } from '../../http/pipeline.ts';
import { getClass } from '../classes/classes.public.ts';
import { getSchoolWithStatistics } from '../school/school.public.ts';
import { describeClassReading } from './class-reading.service.ts';

export const classReadingHandlers = defineHandlers({
  getClassReading: {
    handle: async ({ db, me, params, now, services: { config } }) => {
      const { time_zone } = await getSchoolWithStatistics(db, config);
      const { id } = await getClass(db, me, params.groupId);
      return { reading: await describeClassReading(db, id, time_zone, now) };
    },
  },
});
