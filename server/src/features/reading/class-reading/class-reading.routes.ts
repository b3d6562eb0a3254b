import { defineHandlers } from '../../../http/pipeline.ts';
import { getClass } from '../../school/classes/classes.public.ts';
import { getSchoolWithStatistics } from '../../school/school/school.public.ts';
import { getSelection } from '../dashboard/dashboard.public.ts';
import { describeClassReading } from './class-reading.service.ts';
import { describeReadingLine } from './reading-line.service.ts';

export const classReadingHandlers = defineHandlers({
  getClassReading: {
    handle: async ({ db, me, params, now, services: { config } }) => {
      const school = await getSchoolWithStatistics(db, config);
      const { id } = await getClass(db, me, params.groupId);
      return { reading: await describeClassReading(db, id, school, now) };
    },
  },
  getReadingLine: {
    handle: async ({ db, me, query, now, shows, services: { config } }) => {
      const { time_zone } = await getSchoolWithStatistics(db, config);
      const selection = await getSelection(db, me, query.group_id);
      const line = await describeReadingLine(db, selection, time_zone, now, query.week);
      shows(line.of === 'pupils' ? line.readers.flatMap(({ id }) => id ?? []) : []);
      return { line };
    },
  },
});
