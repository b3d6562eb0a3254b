import { lazy, Suspense, useEffect, useLayoutEffect, useRef } from 'react';
import type { DialogProps } from './DialogFrame.tsx';
import { rememberFocus } from './return-focus.ts';
import { usePreload } from './lazy-dialog.tsx';

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
  // Closing removes the frame and the focused element in it.
  useEffect(() => (isOpen ? () => giveBack.current?.() : undefined), [isOpen]);
  usePreload(loadFrame);
  // No boundary before it is open: one that is opened during hydration would stay empty.
  if (!isOpen) return null;
  return (
    <Suspense fallback={null}>
      <DialogFrame {...props} />
    </Suspense>
  );
}
