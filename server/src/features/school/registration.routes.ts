import { enterSchool, leaveSchool } from '../../database/school.ts';
import { AppError } from '../../http/errors.ts';
import { defineHandlers, withPrepare } from '../../http/pipeline.ts';
import { moveUserSessions } from '../../auth/sessions.queries.ts';
import { insertUser, lockUser } from '../access/access.public.ts';
import { assertNewPassword, hashPassword } from '../../auth/password-hashing.ts';
import { recordChange } from '../../audit/audit-log.queries.ts';
import { insertSchool, insertStaff, putIntoSchool, saveContact } from './registration.queries.ts';
import { describeSchool } from './school.service.ts';

export const registrationHandlers = defineHandlers({
  registerSchool: withPrepare({
    prepare: ({ body, services }) => {
      assertNewPassword(body.user.password, body.user.email, 'user.password');
      return hashPassword(body.user.password, services.config.hashCost);
    },
    handle: async ({ db, body: { school, contact, user }, prepared, now, services }) => {
      const hasAccepted = user.accept_eula === true && user.accepts_ts_and_cs === true;
      const schoolId = await insertSchool(db, {
        name: school.name,
        urn: school.urn,
        terms_accepted_at: hasAccepted ? now : null,
        created_at: now,
      });
      const person = {
        firstName: user.first_name,
        lastName: user.last_name,
        email: user.email,
        userType: 'enterprise',
      } as const;
      const userId = await insertUser(db, { ...person, passwordHash: prepared, schoolId }, now);
      await insertStaff(db, schoolId, userId, 'admin', now);

      const own = await enterSchool(db, schoolId);
      await saveContact(own, contact);
      await recordChange(own, { userId, impersonatorId: null }, now, {
        action: 'school_founded',
        subjectKind: 'school',
        subjectId: schoolId,
        details: { terms_accepted: hasAccepted },
      });
      return { enterprise: await describeSchool(own, { userId, role: 'admin' }, now, services.config) };
    },
  }),
  createSchool: {
    handle: async ({ db, me, body, now, services }) => {
      if (me.impersonatorId !== null) throw new AppError('not_while_impersonating');
      const user = await lockUser(db, me.userId);
      if (user.school_id !== null) throw new AppError('already_in_school');
      const schoolId = await insertSchool(db, {
        name: body.name,
        urn: body.urn,
        terms_accepted_at: null,
        created_at: now,
      });
      await putIntoSchool(db, user.id, schoolId);
      await insertStaff(db, schoolId, user.id, 'admin', now);
      await moveUserSessions(db, user.id, schoolId);

      const own = await enterSchool(db, schoolId);
      await recordChange(own, me, now, { action: 'school_founded', subjectKind: 'school', subjectId: schoolId });
      const enterprise = await describeSchool(own, { userId: user.id, role: 'admin' }, now, services.config);
      await leaveSchool(own);
      return { enterprise };
    },
  },
});
