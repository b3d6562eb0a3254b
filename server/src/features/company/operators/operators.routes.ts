import { defineHandlers } from '../../../http/pipeline.ts';
import { prepareImpersonation, startImpersonation } from './impersonation.service.ts';
import { searchSchools } from './operators.queries.ts';
import { describeSchoolState, updateFeatures } from './operators.service.ts';

export const operatorHandlers = defineHandlers({
  findSchools: {
    handle: async ({ db, query }) => {
      const { schools, total, filtered } = await searchSchools(db, {
        search: query.search,
        page: query.page,
        perPage: query.per_page,
      });
      return { schools, meta: { total, total_filtered: filtered, page: query.page, per_page: query.per_page } };
    },
  },
  getSchoolState: {
    writes: true,
    handle: async ({ db, me, params, now }) => ({ school: await describeSchoolState(db, me, params.schoolId, now) }),
  },
  setSchoolFeatures: {
    handle: async ({ db, me, params, body, now }) => {
      await updateFeatures(db, me, params.schoolId, body.new_statistics, now);
      return { school: { id: params.schoolId, new_statistics: body.new_statistics } };
    },
  },
  mintImpersonation: {
    handle: ({ db, me, body, now }) => prepareImpersonation(db, me, body, now),
  },
  impersonate: {
    handle: ({ db, body, client, now, services }) => startImpersonation(db, body.code, client, now, services.config),
  },
});
