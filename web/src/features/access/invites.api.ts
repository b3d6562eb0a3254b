import { acceptInvite, declineInvite, getInvite } from '#contract/calls/invites.ts';
import type { ReplyOf } from '#contract/call.ts';
import { call } from '../../shared/api-client.ts';
import { apiQuery } from '../../shared/api-query.ts';

export type OpenedInvite = ReplyOf<typeof getInvite>['invite'];

/** An invite, for whoever holds its link. */
export const inviteQuery = (inviteId: string) => apiQuery(getInvite, { params: { inviteId } });

export const accept = (inviteId: string) => call(acceptInvite, { params: { inviteId } });
export const decline = (inviteId: string) => call(declineInvite, { params: { inviteId } });
