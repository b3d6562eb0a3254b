import { useRef } from 'react';
import { useBlocker } from '../shared/router.ts';
import { useUnsavedWork } from '../shared/unsaved-work.ts';
import { LeaveQuestion } from './LeaveQuestion.tsx';

interface Props extends LeaveGuardState {
  /** What would be lost. */
  children: string;
}

interface LeaveGuardState {
  isDirty: boolean;
  isReleased?: () => boolean;
  /** The form stores drafts, so a session that has ended loses nothing. */
  isDrafted?: boolean;
}

/** For a LeaveGuard: `<LeaveGuard {...guard}>`. After `release()` the page is left without a question: its work is saved. */
export function useLeaveGuard(isDirty: boolean, isDrafted = false): { guard: LeaveGuardState; release: () => void } {
  // Read when the page is left, which may be before the next render.
  const released = useRef(false);
  return {
    guard: { isDirty, isDrafted, isReleased: () => released.current },
    release: () => {
      released.current = true;
    },
  };
}

/** Asks before unsaved work is left by a link, Back or closing the tab. */
export function LeaveGuard({ isDirty, isReleased = () => false, isDrafted = false, children }: Props) {
  // A change of the search parameters, such as a dialog or a table's page, does not leave the page.
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isDirty && !isReleased() && currentLocation.pathname !== nextLocation.pathname,
  );
  useUnsavedWork(isDirty, isDrafted);
  if (blocker.state !== 'blocked') return null;
  return (
    <LeaveQuestion onStay={() => blocker.reset()} onLeave={() => blocker.proceed()}>
      {children}
    </LeaveQuestion>
  );
}
