import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { User } from '#contract/calls/access.ts';
import { meQuery } from '../features/accounts/access/access.public.ts';
import { endAtSupplyLogin } from '../shared/end-at-login.ts';
import { isSupplyTeacher } from '../shared/supply-teacher.ts';

/** A timer can wait for less than 25 days, and a sleeping device delays it. */
const MAX_WAIT_MS = 3_600_000;
/** How often the page asks again, while the device’s clock is ahead of the server’s. */
const RETRY_INTERVAL_MS = 30_000;

/** Calls `act` at a moment, and again until the returned function is called. A page that is shown again is not late. */
function repeatFrom(moment: number, act: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const check = () => {
    clearTimeout(timer);
    const left = moment - Date.now();
    if (left <= 0) act();
    timer = setTimeout(check, left <= 0 ? RETRY_INTERVAL_MS : Math.min(left, MAX_WAIT_MS));
  };
  check();
  document.addEventListener('visibilitychange', check);
  return () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', check);
  };
}

/**
 * Takes the pupils of a class off the screen when the user's cover of it ends: everything is fetched again, and a supply
 * teacher whose last cover has ended is logged out.
 */
export function useCoverEnd(user: User): void {
  const client = useQueryClient();
  const nextEnd = user.covers[0]?.ends_at;
  const isSupply = isSupplyTeacher(user);
  useEffect(() => {
    if (nextEnd === undefined) return;
    const update = async () => {
      try {
        const fresh = await client.fetchQuery({ ...meQuery(), staleTime: 0 });
        if (fresh.user.covers[0]?.ends_at !== nextEnd) await client.invalidateQueries();
      } catch {
        // The server cannot be reached: nothing may stay on the screen until it can.
        if (isSupply) endAtSupplyLogin();
      }
    };
    return repeatFrom(Date.parse(nextEnd), () => void update());
  }, [client, nextEnd, isSupply]);
}
