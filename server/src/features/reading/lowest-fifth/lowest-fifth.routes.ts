import { defineHandlers } from '../../../http/pipeline.ts';
import { getSchoolWithStatistics } from '../../school/school/school.public.ts';
import { listLowestFifth } from './lowest-fifth-list.service.ts';

export const lowestFifthHandlers = defineHandlers({
  listLowestFifth: {
    handle: async ({ db, query, now, services: { config } }) => {
      const { time_zone } = await getSchoolWithStatistics(db, config);
      return { lowest_fifth: await listLowestFifth(db, time_zone, now, query.year_group) };
    },
  },
});
