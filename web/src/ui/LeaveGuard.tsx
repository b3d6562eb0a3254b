import { useRef } from 'react';
import { useBlocker } from 'react-router';
import { useUnsavedWork } from '../shared/unsaved-work.ts';
import { Confirm } from './Confirm.tsx';

interface Props extends LeaveGuardState {
  /** What would be lost. */
  children: string;
}

interface LeaveGuardState {
  isDirty: boolean;
  isReleased?: () => boolean;
}

/** For a LeaveGuard: `<LeaveGuard {...guard}>`. After `release()` the page is left without a question: its work is saved. */
export function useLeaveGuard(isDirty: boolean): { guard: LeaveGuardState; release: () => void } {
  // Read when the page is left, which may be before the next render.
  const released = useRef(false);
  return {
    guard: { isDirty, isReleased: () => released.current },
    release: () => {
      released.current = true;
    },
  };
}

/** Asks before unsaved work is left by a link, Back or closing the tab. */
export function LeaveGuard({ isDirty, isReleased = () => false, children }: Props) {
  // A change of the search parameters, such as a dialog or a table's page, does not leave the page.
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isDirty && !isReleased() && currentLocation.pathname !== nextLocation.pathname,
  );
  useUnsavedWork(isDirty);

  return (
    <Confirm
      isOpen={blocker.state === 'blocked'}
      onClose={() => blocker.state === 'blocked' && blocker.reset()}
      title="Leave this page?"
      action="Leave"
      cancel="Stay"
      prefersCancel
      onConfirm={() => blocker.proceed?.()}
    >
      <p>{children}</p>
    </Confirm>
  );
}
