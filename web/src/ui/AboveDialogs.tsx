import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { useTopDialog } from './top-dialog.ts';

/** Renders its children inside the topmost dialog, because an open dialog covers and disables the rest of the page. */
export function AboveDialogs({ children }: { children: ReactNode }) {
  const dialog = useTopDialog();
  return dialog ? createPortal(children, dialog) : children;
}
