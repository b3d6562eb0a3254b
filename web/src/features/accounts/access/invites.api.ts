import { inviteCalls } from '#contract/calls/invites.ts';
import type { ReplyOf } from '#contract/call.ts';
import { call } from '../../../shared/api-client.ts';
import { apiQuery } from '../../../shared/api-query.ts';

export type OpenedInvite = ReplyOf<typeof inviteCalls.getInvite>['invite'];

/** An invitation, by the ID in its link. */
export const inviteQuery = (inviteId: string) => apiQuery(inviteCalls.getInvite, { params: { inviteId } });

export const accept = (inviteId: string) => call(inviteCalls.acceptInvite, { params: { inviteId } });
export const decline = (inviteId: string) => call(inviteCalls.declineInvite, { params: { inviteId } });
