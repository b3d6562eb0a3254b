import { createContext, lazy, Suspense, useContext, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useOpenWork } from '../shared/unsaved-work.ts';
import type { DialogProps } from './DialogFrame.tsx';
import { rememberFocus } from './return-focus.ts';
import { usePreload } from './lazy-dialog.tsx';
import { useTopDialog } from './top-dialog.ts';

/** Loads the frame, so that a dialog opens without a script of its own. */
export const loadDialogFrame = () => import('./DialogFrame.tsx');
const DialogFrame = lazy(loadDialogFrame);

const HoldOpen = createContext<((isHeld: boolean) => void) | null>(null);

/** While `isHeld`, the dialog around this component cannot be closed: its work would fail unseen. */
export function useHoldOpen(isHeld: boolean): void {
  const hold = useContext(HoldOpen);
  useLayoutEffect(() => {
    hold?.(isHeld);
    return () => hold?.(false);
  }, [hold, isHeld]);
}

/** A modal dialog: holds the focus, gives it back, closes with Escape. */
export function Dialog(props: DialogProps) {
  const { isOpen, canClose = true, onClose } = props;
  const [isHeld, setHeld] = useState(false);
  const isOnTop = useTopDialog(isOpen);
  useOpenWork(isOpen);
  const giveBack = useRef<(() => void) | null>(null);
  // Before the frame takes the focus.
  useLayoutEffect(() => {
    if (isOpen) giveBack.current = rememberFocus();
  }, [isOpen]);
  // Closing removes the frame and the focused element in it.
  useEffect(() => (isOpen ? () => giveBack.current?.() : undefined), [isOpen]);
  usePreload(loadDialogFrame);
  // No boundary before it is open: one that is opened during hydration would stay empty.
  if (!isOpen) return null;
  return (
    <Suspense fallback={null}>
      <HoldOpen.Provider value={setHeld}>
        {/* Escape reaches every open dialog. */}
        <DialogFrame {...props} canClose={canClose && !isHeld} onClose={() => isOnTop() && onClose()} />
      </HoldOpen.Provider>
    </Suspense>
  );
}
