import { defineHandlers } from '../../../http/pipeline.ts';
import { getUser } from '../access/access.public.ts';
import { switchSchool } from './memberships.service.ts';

export const membershipHandlers = defineHandlers({
  switchSchool: {
    handle: async ({ db, me, body, now }) => {
      await switchSchool(db, me, body.enterprise_id, now);
      return { user: await getUser(db, { ...me, schoolId: body.enterprise_id }, now) };
    },
  },
});
