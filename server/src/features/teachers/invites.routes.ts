import type { PlatformDb } from '../../database/platform.ts';
import { enterSchool, leaveSchool, type SchoolDb } from '../../database/school.ts';
import { AppError, fieldError } from '../../http/errors.ts';
import { defineHandlers, withPrepare } from '../../http/pipeline.ts';
import { moveUserSessions } from '../../auth/sessions.queries.ts';
import { lockUser } from '../access/access.public.ts';
import { getSchoolRow } from '../school/school.public.ts';
import { recordChange } from '../../audit/audit-log.queries.ts';
import {
  findInvite,
  getInvite,
  listInvites,
  lockInvite,
  removeInvite,
  renewInvite,
  setInviteStatus,
  statusOf,
} from './invites.queries.ts';
import { expectStatus, inviteTeachers, makeMailer } from './invites.service.ts';
import { parseInviteFile } from './invite-file.service.ts';
import { findInviteSchool, addToSchool } from './membership.queries.ts';

export const inviteHandlers = defineHandlers({
  sendInvites: withPrepare({
    prepare: async ({ body, upload }) => {
      if (upload) return parseInviteFile(upload);
      if (!body.email) throw fieldError('email', 'Send a list of emails, or a file.');
      return body.email.map((email, place) => ({ email, name: body.name[place] ?? '' }));
    },
    handle: ({ db, me, prepared, now, services }) => inviteTeachers(db, me, prepared, services.config, now),
  }),
  listInvites: { handle: async ({ db, now }) => ({ invites: await listInvites(db, now) }) },
  removeInvite: {
    handle: async ({ db, me, params, now }) => {
      const invite = await getLocked(db, params.inviteId);
      expectStatus(invite, now);
      await removeInvite(db, invite.id);
      await recordChange(db, me, now, {
        action: 'invite_deleted',
        subjectKind: 'invite',
        subjectId: invite.id,
        details: { email: invite.email },
      });
      return {};
    },
  },
  resendInvite: {
    handle: async ({ db, me, params, now, services }) => {
      const invite = await getLocked(db, params.inviteId);
      expectStatus(invite, now, 'expired');
      const renewed = await renewInvite(db, invite, now);
      const mailFrom = await makeMailer(db, me, services.config);
      await mailFrom(invite, renewed, now);
      await recordChange(db, me, now, {
        action: 'invite_resent',
        subjectKind: 'invite',
        subjectId: renewed.id,
        details: { email: invite.email, was: invite.id },
      });
      return { invite: await getInvite(db, renewed.id, now) };
    },
  },
  getInvite: {
    handle: async ({ db, params, now }) => {
      const school = await enterInvitingSchool(db, params.inviteId);
      const invite = await findInvite(school, params.inviteId);
      if (!invite) throw new AppError('invite_not_found');
      const { name } = await getSchoolRow(school);
      return {
        invite: {
          id: invite.id,
          status: statusOf(invite, now),
          email: invite.email,
          name: invite.name,
          expires_at: invite.expires_at.toISOString(),
          enterprise: { name },
        },
      };
    },
  },
  acceptInvite: {
    handle: async ({ db, me, params, now }) => {
      const school = await enterInvitingSchool(db, params.inviteId);
      const invite = await getLocked(school, params.inviteId);
      expectStatus(invite, now);
      await setInviteStatus(school, invite.id, 'accepted');

      const platform = await leaveSchool(school);
      const user = await lockUser(platform, me.userId);
      if (user.email_key !== invite.email_key) throw new AppError('invite_for_another');
      if (user.school_id !== null) throw new AppError('already_in_school');
      await addToSchool(platform, user, invite.school_id, now);
      await moveUserSessions(platform, user.id, invite.school_id);

      const joined = await enterSchool(platform, invite.school_id);
      await recordChange(joined, me, now, {
        action: 'invite_accepted',
        subjectKind: 'invite',
        subjectId: invite.id,
        details: { user_id: user.id },
      });
      await leaveSchool(joined);
      return {};
    },
  },
  declineInvite: {
    handle: async ({ db, params, now }) => {
      const school = await enterInvitingSchool(db, params.inviteId);
      const invite = await getLocked(school, params.inviteId);
      expectStatus(invite, now);
      await setInviteStatus(school, invite.id, 'declined');
      const nobody = { userId: null, impersonatorId: null };
      await recordChange(school, nobody, now, {
        action: 'invite_declined',
        subjectKind: 'invite',
        subjectId: invite.id,
      });
      return {};
    },
  },
});

async function enterInvitingSchool(db: PlatformDb, inviteId: string): Promise<SchoolDb> {
  const schoolId = await findInviteSchool(db, inviteId);
  if (schoolId === undefined) throw new AppError('invite_not_found');
  return enterSchool(db, schoolId);
}

async function getLocked(db: SchoolDb, inviteId: string) {
  const invite = await lockInvite(db, inviteId);
  if (!invite) throw new AppError('invite_not_found');
  return invite;
}
