import { lazy, Suspense, useEffect } from 'react';
import type { DialogProps } from './DialogFrame.tsx';

// Fetched once the page is at rest, so that it is there when it is asked for and costs the first screen nothing.
const loadFrame = () => import('./DialogFrame.tsx');
const DialogFrame = lazy(loadFrame);

/** A modal dialog: holds the focus, gives it back, closes with Escape. */
export function Dialog(props: DialogProps) {
  useEffect(() => {
    const timer = setTimeout(() => void loadFrame().catch(() => undefined), 2_000);
    return () => clearTimeout(timer);
  }, []);
  return <Suspense fallback={null}>{props.isOpen && <DialogFrame {...props} />}</Suspense>;
}
