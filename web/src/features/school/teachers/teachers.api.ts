import type { BodyInputOf } from '#contract/call.ts';
import { factorPolicyCalls } from '#contract/calls/factor-policy.ts';
import { factorRecoveryCalls } from '#contract/calls/factor-recovery.ts';
import { inviteCalls } from '#contract/calls/invites.ts';
import { teacherCalls } from '#contract/calls/teachers.ts';
import { hasClasses } from '#contract/permissions.ts';
import { useMutation } from '@tanstack/react-query';
import { schoolCalls } from '#contract/calls/school.ts';
import { call } from '../../../shared/api-client.ts';
import { apiQuery } from '../../../shared/api-query.ts';
import { can } from '../../../shared/can.ts';
import type { FirstQueries } from '../../../shared/first-queries.ts';
import { useSchoolId } from '../../../shared/session.ts';
import { schoolQueries } from '../school/school.public.ts';
import type { InviteRow } from './model/invite-rows.ts';
import { useInvalidatingMutation } from '../../../shared/use-invalidating-mutation.ts';

/** The school's invitations, the newest first. For admins. */
export const invitesQuery = (id: number) => apiQuery(inviteCalls.listInvites, { params: { id } });

export const teachersPageQueries: FirstQueries = (visit) => [
  ...schoolQueries(visit),
  ...(can(visit.user, 'edit_teacher') ? [invitesQuery(visit.schoolId)] : []),
];

/** Promotes a teacher to admin, or demotes an admin. */
export const useSetAdmin = (id: number) =>
  useInvalidatingMutation(
    ({ userId, admin }: { userId: number; admin: boolean }) =>
      call(teacherCalls.setAdmin, { params: { id, userId }, body: { admin } }),
    { awaits: [schoolCalls.getSchool] },
  );

/** Gives a colleague another role. */
export const useSetStaffRole = (id: number) =>
  useInvalidatingMutation(
    ({ userId, body }: { userId: number; body: BodyInputOf<typeof teacherCalls.setStaffRole> }) =>
      call(teacherCalls.setStaffRole, { params: { id, userId }, body }),
    { awaits: [schoolCalls.getSchool], renews: [schoolCalls.listAuditLog] },
  );

/** Removes the second factors of a colleague who has lost them. */
export function useResetFactors() {
  const id = useSchoolId();
  return useInvalidatingMutation(
    ({ userId, body }: { userId: number; body: BodyInputOf<typeof factorRecoveryCalls.resetFactors> }) =>
      call(factorRecoveryCalls.resetFactors, { params: { id, userId }, body }),
    { renews: [factorPolicyCalls.getFactorPolicy, schoolCalls.listAuditLog] },
  );
}

/** Removes a colleague from the school, and gives their classes to others. */
export const useRecordLeaver = (id: number) =>
  useInvalidatingMutation(
    ({ userId, body }: { userId: number; body: BodyInputOf<typeof teacherCalls.recordLeaver> }) =>
      call(teacherCalls.recordLeaver, { params: { id, userId }, body }),
    { awaits: [schoolCalls.getSchool] },
  );

const INVITES_AFFECT = [inviteCalls.listInvites, schoolCalls.getSchool, schoolCalls.listAuditLog];

/** Invites teachers by rows. The reply lists those that could not be sent, with the reason. */
export const useSendInvites = (id: number) =>
  useInvalidatingMutation(
    (rows: readonly InviteRow[]) =>
      call(inviteCalls.sendInvites, {
        params: { id },
        body: {
          email: rows.map(({ email }) => email),
          name: rows.map(({ name }) => name),
          roles: rows.map(({ role }) => role),
          groups: rows.map(({ classId, role }) => (classId === '' || !hasClasses(role) ? [] : [Number(classId)])),
          with_links: true,
        },
      }),
    { renews: INVITES_AFFECT },
  );

/** Reads a list of staff, as a file or text. Invites no one. */
export const useInviteList = (id: number) =>
  useMutation({
    mutationFn: (list: File | string) => {
      if (typeof list === 'string') return call(inviteCalls.previewInvites, { params: { id }, body: { text: list } });
      const body = new FormData();
      body.append('teachers_file', list);
      return call(inviteCalls.previewInvites, { params: { id }, body });
    },
  });

/** The list is not fetched again at once, because the row would disappear before its button showed 'Resent'. */
export const useResendInvite = (id: number) =>
  useMutation({ mutationFn: (inviteId: string) => call(inviteCalls.resendInvite, { params: { id, inviteId } }) });

export const useRemoveInvite = (id: number) =>
  useInvalidatingMutation((inviteId: string) => call(inviteCalls.removeInvite, { params: { id, inviteId } }), {
    awaits: [inviteCalls.listInvites],
    renews: INVITES_AFFECT,
  });

/** Deletes the invitations of a list at once. */
export const useRemoveInvites = (id: number) =>
  useInvalidatingMutation(
    (invites: string[]) => call(inviteCalls.removeInvites, { params: { id }, body: { invites } }),
    { renews: INVITES_AFFECT },
  );
