import { lazy, Suspense, useEffect, useLayoutEffect, useRef } from 'react';
import type { DialogProps } from './DialogFrame.tsx';
import { rememberFocus } from './return-focus.ts';

// Fetched once the page is at rest, so that it is there when it is asked for and costs the first screen nothing.
const loadFrame = () => import('./DialogFrame.tsx');
const DialogFrame = lazy(loadFrame);

/** A modal dialog: holds the focus, gives it back, closes with Escape. */
export function Dialog(props: DialogProps) {
  const { isOpen } = props;
  const giveBack = useRef<(() => void) | null>(null);
  // Before the frame takes the focus.
  useLayoutEffect(() => {
    if (isOpen) giveBack.current = rememberFocus();
  }, [isOpen]);
  // The frame is taken away as it closes, and with it whatever had the focus.
  useEffect(() => (isOpen ? () => giveBack.current?.() : undefined), [isOpen]);
  useEffect(() => {
    const timer = setTimeout(() => void loadFrame().catch(() => undefined), 2_000);
    return () => clearTimeout(timer);
  }, []);
  return <Suspense fallback={null}>{isOpen && <DialogFrame {...props} />}</Suspense>;
}
