import { IconCheck, IconX } from '@tabler/icons-react';
import { type FocusEvent, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { announce } from '../shared/announcements.ts';
import { getBusyWait, onBusy } from '../shared/busy.ts';
import { isUndoShortcut } from '../shared/shortcuts.ts';
import { rememberFocus } from './return-focus.ts';
import { dismissToast, getToasts, onToasts, reportFailedUndo, type Toast } from './toasts.ts';
import css from './Toasts.module.css';

const SHOWN_MS = 6_000;
const SHOWN_WITH_UNDO_MS = 12_000;
/** What the server renders. */
const NO_TOASTS: readonly Toast[] = [];

function undoToast({ id, undo, detail, text }: Toast): void {
  dismissToast(id);
  undo?.().then(
    () => announce('Undone'),
    (error: unknown) => reportFailedUndo({ text: detail ?? text, error }),
  );
}

/** Shows the toasts, and that the server is busy. Ctrl-Z or Command-Z undoes the newest action that can be undone. */
export function Toasts() {
  const toasts = useSyncExternalStore(onToasts, getToasts, () => NO_TOASTS);
  const busyWait = useSyncExternalStore(onBusy, getBusyWait, () => undefined);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const newest = isUndoShortcut(event) && getToasts().findLast(({ undo }) => undo);
      if (!newest) return;
      event.preventDefault();
      undoToast(newest);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      {toasts.map((toast) => (
        <ToastBox key={toast.id} toast={toast} />
      ))}
      {busyWait !== undefined && (
        <div className={css.toast}>
          <span className={css.text}>Busy. Trying again in {busyWait} seconds</span>
        </div>
      )}
    </>
  );
}

function ToastBox({ toast }: { toast: Toast }) {
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(() => dismissToast(toast.id), toast.undo ? SHOWN_WITH_UNDO_MS : SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isHeld, toast]);

  /** Restores the focus when a focused toast disappears. */
  const returnFocus = useRef<(() => void) | undefined>(undefined);
  useEffect(() => () => returnFocus.current?.(), []);
  const hold = {
    onPointerEnter: () => setHeld(true),
    onPointerLeave: () => setHeld(false),
    onFocus: ({ currentTarget, relatedTarget }: FocusEvent) => {
      setHeld(true);
      if (!currentTarget.contains(relatedTarget)) returnFocus.current = rememberFocus(relatedTarget);
    },
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
      setHeld(false);
      if (!currentTarget.contains(relatedTarget)) returnFocus.current = undefined;
    },
  };
  return (
    <div className={css.toast} {...hold}>
      <IconCheck size={20} aria-hidden className={css.icon} />
      <span className={css.text}>
        {toast.text}
        {toast.detail && <small>{toast.detail}</small>}
      </span>
      {toast.undo && (
        <button
          type="button"
          className={css.undo}
          aria-keyshortcuts="Control+Z Meta+Z"
          onClick={() => undoToast(toast)}
        >
          Undo
          <kbd className={css.key} aria-hidden>
            Ctrl Z
          </kbd>
        </button>
      )}
      <button type="button" className={css.close} aria-label="Close message" onClick={() => dismissToast(toast.id)}>
        <IconX size={18} aria-hidden />
      </button>
    </div>
  );
}
