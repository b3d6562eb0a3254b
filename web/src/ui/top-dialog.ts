import { useEffect, useRef } from 'react';

/** The open dialogs, the topmost last. */
const open: object[] = [];

/** Returns a function that tells whether this dialog is above all others. */
export function useTopDialog(isOpen: boolean): () => boolean {
  const dialog = useRef({});
  useEffect(() => {
    if (!isOpen) return;
    const { current } = dialog;
    open.push(current);
    return () => void open.splice(open.indexOf(current), 1);
  }, [isOpen]);
  return () => open.at(-1) === dialog.current;
}
