import { accessCalls } from '#contract/calls/access.ts';
import type { BodyInputOf } from '#contract/call.ts';
import { call } from '../../shared/api-client.ts';
import { getSession, renewUser } from '../../shared/session.ts';
import { useInvalidatingMutation } from '../../shared/use-invalidating-mutation.ts';

/** Changes the signed-in person's own details; the header has them at once. */
export const useUpdateMe = () =>
  useInvalidatingMutation(async (body: BodyInputOf<typeof accessCalls.updateMe>) => {
    const { user } = await call(accessCalls.updateMe, { body });
    const key = getSession()?.key;
    if (key) renewUser(key, user);
    return user;
  });
