import { useMutation } from '@tanstack/react-query';
import { inviteCalls } from '#contract/calls/invites.ts';
import { call } from '../../../shared/api-client.ts';
import { switchSchool } from '../../../shared/return-to-school.ts';
import { useReloadMe } from '../access/access.public.ts';

/** Switches to another school of the user, whose first page then replaces this one. */
export const useSwitchSchool = () => useMutation({ mutationFn: switchSchool });

/** Joins the school that sent the invitation. Returns its ID. */
export function useJoinSchool() {
  const reloadMe = useReloadMe();
  return useMutation({
    mutationFn: async (inviteId: string) => {
      const { enterprise_id } = await call(inviteCalls.acceptInvite, { params: { inviteId } });
      await reloadMe();
      return enterprise_id;
    },
  });
}
