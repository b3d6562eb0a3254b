import { exceedsTeacher } from '#contract/permissions.ts';
import { assertProved } from '../../../http/authenticate.ts';
import { fieldError } from '../../../errors.ts';
import { defineHandlers, withPrepare } from '../../../http/pipeline.ts';
import { describeInviteList, readInviteList, toInviteRow } from './invite-list.service.ts';
import { acceptInvite, declineInvite, openInvite } from './invite-links.service.ts';
import { listInvites } from './invites.queries.ts';
import { cancelInvite, cancelInvites, type InviteRow, inviteTeachers, resendInvite } from './invites.service.ts';
import { removeTeacher, updateRole } from './teachers.service.ts';

export const teacherHandlers = defineHandlers({
  setAdmin: {
    handle: async ({ db, me, params, body, now }) => {
      await updateRole(db, me, params.userId, body.admin ? 'admin' : 'teacher', now);
      return {};
    },
  },
  setStaffRole: {
    handle: async ({ db, me, params, body, now }) => {
      await updateRole(db, me, params.userId, body.role, now);
      return {};
    },
  },
  removeTeacher: {
    handle: async ({ db, me, params, now }) => {
      await removeTeacher(db, me, params.userId, now);
      return {};
    },
  },
  recordLeaver: {
    handle: async ({ db, me, params, body, now }) => {
      await removeTeacher(db, me, params.userId, now, body.handovers);
      return {};
    },
  },
  previewInvites: withPrepare({
    prepare: ({ me, body, upload, services }) => {
      const list = upload ?? body.text;
      if (list === undefined) throw fieldError('teachers_file', 'Choose a file, or paste the list.');
      return readInviteList(services, me, list);
    },
    handle: async ({ db, prepared, now }) => ({ people: await describeInviteList(db, prepared, now) }),
  }),
  sendInvites: withPrepare({
    prepare: async ({ me, body, upload, now, services }): Promise<InviteRow[]> => {
      const { email: emails, name: names, role, roles = [], groups: classIds } = body;
      if ([role, ...roles].some(exceedsTeacher)) assertProved(me, now);
      if (upload) return (await readInviteList(services, me, upload)).map(toInviteRow);
      if (!emails) throw fieldError('email', 'Send a list of email addresses or a file.');
      return emails.map((email, index) => ({
        email,
        name: names[index] ?? '',
        role: roles[index],
        classIds: classIds?.[index] ?? [],
      }));
    },
    handle: ({ db, me, body, prepared, now, services }) =>
      inviteTeachers(
        db,
        me,
        prepared,
        { role: body.role, classIds: [...new Set(body.group_ids)], withLinks: body.with_links },
        services.config,
        now,
      ),
  }),
  listInvites: { handle: async ({ db, now }) => ({ invites: await listInvites(db, now) }) },
  removeInvite: {
    handle: async ({ db, me, params, now }) => {
      await cancelInvite(db, me, params.inviteId, now);
      return {};
    },
  },
  removeInvites: { handle: ({ db, me, body, now }) => cancelInvites(db, me, body.invites, now) },
  resendInvite: {
    handle: async ({ db, me, params, now, services }) => ({
      invite: await resendInvite(db, me, params.inviteId, services.config, now),
    }),
  },
  getInvite: {
    // The state of its mail.
    writes: true,
    handle: async ({ db, params, now }) => ({ invite: await openInvite(db, params.inviteId, now) }),
  },
  acceptInvite: {
    handle: async ({ db, me, params, client, now }) => {
      // They gain children's data at another school, so a session left open is not enough.
      if (me.schoolId !== null) assertProved(me, now);
      return { enterprise_id: await acceptInvite(db, me, params.inviteId, now, client.session) };
    },
  },
  declineInvite: {
    handle: async ({ db, params, now }) => {
      await declineInvite(db, params.inviteId, now);
      return {};
    },
  },
});
