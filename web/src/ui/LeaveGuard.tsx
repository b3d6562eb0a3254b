import { useBlocker } from 'react-router';
import { useUnsavedWork } from '../shared/unsaved-work.ts';
import { Confirm } from './Confirm.tsx';

/** Asks before work that is not saved is left, by a link, by Back or by closing the tab. */
export function LeaveGuard({ isDirty, children }: { isDirty: boolean; children: string }) {
  // Its own address may change its query: a dialog or a table's page is no departure.
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isDirty && currentLocation.pathname !== nextLocation.pathname,
  );
  useUnsavedWork(isDirty);

  return (
    <Confirm
      isOpen={blocker.state === 'blocked'}
      onClose={() => blocker.state === 'blocked' && blocker.reset()}
      title="Leave this page?"
      action="Leave"
      cancel="Stay"
      onConfirm={() => blocker.proceed?.()}
      explain={() => null}
    >
      <p>{children}</p>
    </Confirm>
  );
}
