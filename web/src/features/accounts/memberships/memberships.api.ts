import { useMutation } from '@tanstack/react-query';
import { accessCalls } from '#contract/calls/access.ts';
import { inviteCalls } from '#contract/calls/invites.ts';
import { call } from '../../../shared/api-client.ts';
import { apiQuery } from '../../../shared/api-query.ts';
import type { FirstQueries } from '../../../shared/first-queries.ts';
import { getSession, renewUser } from '../../../shared/session.ts';
import { switchSchool } from './model/return-to-school.ts';

export const inviteQuery = (inviteId: string) => apiQuery(inviteCalls.getInvite, { params: { inviteId } });

export const joinSchoolPageQueries: FirstQueries = ({ params }) => [inviteQuery(params.inviteId ?? '')];

/** Switches to another school of the user, whose first page then replaces this one. */
export const useSwitchSchool = () => useMutation({ mutationFn: switchSchool });

/** Joins the school that sent the invitation. Returns its ID. */
export const useJoinSchool = () =>
  useMutation({
    mutationFn: async (inviteId: string) => {
      const key = getSession()?.key;
      const { enterprise_id: schoolId } = await call(inviteCalls.acceptInvite, { params: { inviteId } });
      const { user } = await call(accessCalls.getMe);
      if (key) renewUser(key, user);
      return schoolId;
    },
  });
