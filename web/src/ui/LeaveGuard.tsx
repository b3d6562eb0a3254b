import { useRef } from 'react';
import { useBlocker } from '../shared/router.ts';
import { useUnsavedWork } from '../shared/unsaved-work.ts';
import { Button } from './Button.tsx';
import { Dialog } from './Dialog.tsx';
import { DialogButtons } from './DialogForm.tsx';

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
    <Dialog isOpen onClose={() => blocker.reset()} title="Leave this page?">
      <p>{children}</p>
      <DialogButtons>
        <Button data-autofocus onClick={() => blocker.reset()}>
          Stay
        </Button>
        <Button variant="default" onClick={() => blocker.proceed()}>
          Leave
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
