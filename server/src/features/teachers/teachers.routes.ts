import { removeTeacher, setAdmin } from '#contract/calls/teachers.ts';
import { leaveSchool } from '../../database/school.ts';
import { removeLinks } from '../../auth/one-time-tokens.queries.ts';
import { route } from '../../http/pipeline.ts';
import { removeUserSessions } from '../../auth/sessions.queries.ts';
import { recordChange } from '../school/school.public.ts';
import { takeOutOfSchool } from './membership.queries.ts';
import { getColleague, keepAnAdmin } from './teachers.access.ts';
import { removeMember, setRole } from './teachers.queries.ts';

export const teacherRoutes = [
  route(setAdmin, {
    handle: async ({ db, me, params, body, now }) => {
      const colleague = await getColleague(db, me, params.userId);
      const role = body.admin ? 'admin' : 'teacher';
      if (colleague.role === role) return {};
      if (role === 'teacher') await keepAnAdmin(db, params.userId);
      await setRole(db, params.userId, role);
      const action = role === 'admin' ? 'teacher_promoted' : 'teacher_demoted';
      await recordChange(db, me, now, { action, subjectKind: 'user', subjectId: params.userId });
      return {};
    },
  }),
  route(removeTeacher, {
    handle: async ({ db, me, params, now }) => {
      const { role } = await getColleague(db, me, params.userId);
      if (role === 'admin') await keepAnAdmin(db, params.userId);
      const classes = await removeMember(db, params.userId);
      await recordChange(db, me, now, {
        action: 'teacher_removed',
        subjectKind: 'user',
        subjectId: params.userId,
        details: { role, classes },
      });
      // The account outlives its place in the school, and no school may write what lies outside of it.
      const platform = await leaveSchool(db);
      await takeOutOfSchool(platform, params.userId);
      await removeUserSessions(platform, params.userId);
      await removeLinks(platform, params.userId);
      return {};
    },
  }),
];
