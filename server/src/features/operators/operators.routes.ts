import { enterSchool, leaveSchool } from '../../database/school.ts';
import { AppError } from '../../http/errors.ts';
import { createToken, consumeToken } from '../../auth/one-time-tokens.queries.ts';
import { defineHandlers } from '../../http/pipeline.ts';
import { toSubscription } from '../billing/billing.public.ts';
import { findSubscription, getSchoolRow, listStaff, updateSchoolRow } from '../school/school.public.ts';
import { recordChange } from '../../audit/audit-log.queries.ts';
import {
  countSchool,
  findStaffUser,
  hasSchool,
  isOperator,
  listOperatorsAmong,
  searchSchools,
} from './operators.queries.ts';
import { startSession } from '../access/access.public.ts';

/** How long a code works, and the session that it opens. */
const CODE_LASTS = 60_000;
const SESSION_LASTS = 3_600_000;

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
    handle: async ({ db, params, now }) => {
      if (!(await hasSchool(db, params.schoolId))) throw new AppError('school_not_found');
      const school = await enterSchool(db, params.schoolId);
      const { id, name, urn, created_at, terms_accepted_at, new_statistics } = await getSchoolRow(school);
      const subscription = await findSubscription(school);
      const staff = await listStaff(school);
      const counts = await countSchool(school, now);
      const operators = await listOperatorsAmong(
        await leaveSchool(school),
        staff.map((person) => person.id),
      );
      return {
        school: {
          id,
          name,
          urn,
          created_at: created_at.toISOString(),
          terms_accepted_at: terms_accepted_at?.toISOString() ?? null,
          new_statistics,
          subscription: subscription ? toSubscription(subscription, now) : null,
          staff: staff.map(({ role, ...person }) => ({
            ...person,
            enterprise_user_role: role,
            is_operator: operators.has(person.id),
          })),
          counts,
        },
      };
    },
  },
  setSchoolFeatures: {
    handle: async ({ db, me, params, body, now }) => {
      if (!(await hasSchool(db, params.schoolId))) throw new AppError('school_not_found');
      const school = await enterSchool(db, params.schoolId);
      await updateSchoolRow(school, { new_statistics: body.new_statistics });
      await recordChange(school, me, now, {
        action: 'features_changed',
        subjectKind: 'school',
        subjectId: params.schoolId,
        details: { new_statistics: body.new_statistics },
      });
      await leaveSchool(school);
      return { school: { id: params.schoolId, new_statistics: body.new_statistics } };
    },
  },
  mintImpersonation: {
    handle: async ({ db, me, body, now }) => {
      const person = await findStaffUser(db, body.user_id);
      if (!person) throw new AppError('teacher_not_found');
      if (await isOperator(db, person.id)) throw new AppError('cannot_impersonate');
      const link = {
        kind: 'impersonation',
        userId: person.id,
        schoolId: person.school_id,
        operatorId: me.userId,
        reason: body.reason,
      } as const;
      const code = await createToken(db, { ...link, lasts: CODE_LASTS }, now);
      const school = await enterSchool(db, person.school_id);
      const change = {
        action: 'impersonation_prepared',
        subjectKind: 'user',
        subjectId: person.id,
        details: { reason: body.reason },
      } as const;
      await recordChange(school, me, now, change);
      await leaveSchool(school);
      return { code, expires_at: new Date(now.getTime() + CODE_LASTS).toISOString() };
    },
  },
  impersonate: {
    handle: async ({ db, body, now }) => {
      const link = await consumeToken(db, 'impersonation', body.code, now);
      const person = link && (await findStaffUser(db, link.userId));
      // The person may have left the school, the operator the company, within the minute.
      if (
        !link ||
        link.operatorId === null ||
        person?.school_id !== link.schoolId ||
        !(await isOperator(db, link.operatorId))
      )
        throw new AppError('impersonation_code_ended');
      const signedIn = await startSession(
        db,
        { userId: person.id, schoolId: person.school_id, impersonatorId: link.operatorId, lasts: SESSION_LASTS },
        now,
      );
      const actor = { userId: person.id, impersonatorId: link.operatorId };
      const change = {
        action: 'impersonation_started',
        subjectKind: 'user',
        subjectId: person.id,
        details: { reason: link.reason },
      } as const;
      await recordChange(await enterSchool(db, person.school_id), actor, now, change);
      return signedIn;
    },
  },
});
