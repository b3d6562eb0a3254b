import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react';
import { Dialog } from './Dialog.tsx';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { PartFailure } from './PartFailure.tsx';

const SETTLE_MS = 2_000;
const MAX_IDLE_WAIT_MS = 2_000;

const pending = new Set<() => Promise<unknown>>();
let isLoading = false;

/** Resolves when the browser is idle; not every browser reports it. */
const idle = () =>
  new Promise<void>((resolve) => {
    if (typeof requestIdleCallback === 'undefined') setTimeout(resolve, 200);
    else requestIdleCallback(() => resolve(), { timeout: MAX_IDLE_WAIT_MS });
  });

/** One script after the other, each when the browser is idle: running them together would block input. */
async function loadPending(): Promise<void> {
  if (isLoading) return;
  isLoading = true;
  for (const load of pending) {
    await idle();
    // The page that needed it may have been left meanwhile.
    if (pending.delete(load)) await load().catch(() => undefined);
  }
  isLoading = false;
}

/** Preloads a part of the app once the page has settled, so that it is ready when it is needed. */
export function usePreload(load: () => Promise<unknown>): void {
  useEffect(() => {
    const timer = setTimeout(() => {
      pending.add(load);
      void loadPending();
    }, SETTLE_MS);
    return () => {
      clearTimeout(timer);
      pending.delete(load);
    };
  }, [load]);
}

const FailedDialog = (props: { isOpen: boolean; onClose: () => void }) => (
  <Dialog {...props} title="An error occurred">
    <PartFailure />
  </Dialog>
);

/**
 * A dialog whose script loads once the page has settled, or when it is opened: forms and their rules are much of a
 * page's script, and most visits open none.
 */
export function lazyDialog<Props extends { isOpen: boolean; onClose: () => void }>(
  load: () => Promise<ComponentType<Props>>,
) {
  const Loaded = lazy(async () => ({ default: await load() }));
  return function LazyDialog(props: Props) {
    const [wasOpened, setOpened] = useState(false);
    // In an effect: the server renders no dialog, and must not wait for its script.
    useEffect(() => {
      if (props.isOpen) setOpened(true);
    }, [props.isOpen]);
    usePreload(load);
    if (!wasOpened) return null;
    return (
      <ErrorBoundary fallback={<FailedDialog isOpen={props.isOpen} onClose={props.onClose} />}>
        <Suspense fallback={null}>
          <Loaded {...props} />
        </Suspense>
      </ErrorBoundary>
    );
  };
}
