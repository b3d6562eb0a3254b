import { leaveSchool } from '../../database/school.ts';
import { removeTokens } from '../../auth/one-time-tokens.queries.ts';
import { defineHandlers } from '../../http/pipeline.ts';
import { removeUserSessions } from '../../auth/sessions.queries.ts';
import { recordChange } from '../../audit/audit-log.queries.ts';
import { removeFromSchool } from './membership.queries.ts';
import { getColleague, assertAnotherAdmin } from './teachers.access.ts';
import { removeMember, setRole } from './teachers.queries.ts';

export const teacherHandlers = defineHandlers({
  setAdmin: {
    handle: async ({ db, me, params, body, now }) => {
      const colleague = await getColleague(db, me, params.userId);
      const role = body.admin ? 'admin' : 'teacher';
      if (colleague.role === role) return {};
      if (role === 'teacher') await assertAnotherAdmin(db, params.userId);
      await setRole(db, params.userId, role);
      const action = role === 'admin' ? 'teacher_promoted' : 'teacher_demoted';
      await recordChange(db, me, now, { action, subjectKind: 'user', subjectId: params.userId });
      return {};
    },
  },
  removeTeacher: {
    handle: async ({ db, me, params, now }) => {
      const { role } = await getColleague(db, me, params.userId);
      if (role === 'admin') await assertAnotherAdmin(db, params.userId);
      const classes = await removeMember(db, params.userId);
      await recordChange(db, me, now, {
        action: 'teacher_removed',
        subjectKind: 'user',
        subjectId: params.userId,
        details: { role, classes },
      });
      // The account outlives its place in the school, and no school may write what lies outside of it.
      const platform = await leaveSchool(db);
      await removeFromSchool(platform, params.userId);
      await removeUserSessions(platform, params.userId);
      await removeTokens(platform, params.userId);
      return {};
    },
  },
});
