import { defineHandlers } from '../../../http/pipeline.ts';
import { removeTeacher, updateRole } from './teachers.service.ts';

export const teacherHandlers = defineHandlers({
  setAdmin: {
    handle: async ({ db, me, params, body, now }) => {
      await updateRole(db, me, params.userId, body.admin ? 'admin' : 'teacher', now);
      return {};
    },
  },
  removeTeacher: {
    handle: async ({ db, me, params, now }) => {
      await removeTeacher(db, me, params.userId, now);
      return {};
    },
  },
});
