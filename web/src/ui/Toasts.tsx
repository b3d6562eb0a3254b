import { IconCheck, IconX } from '@tabler/icons-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { dismissToast, getToasts, onToasts, reportFailedUndo, type Toast } from './toasts.ts';
import css from './Toasts.module.css';

const SHOWN_MS = 6_000;
const SHOWN_WITH_UNDO_MS = 12_000;

/** Shows the toasts. Once per page. */
export function Toasts() {
  const toasts = useSyncExternalStore(onToasts, getToasts, getToasts);
  return (
    <div className={css.toasts} role="status" aria-live="polite">
      {toasts.map((toast) => (
        <ToastBox key={toast.id} toast={toast} />
      ))}
    </div>
  );
}

function ToastBox({ toast }: { toast: Toast }) {
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(() => dismissToast(toast.id), toast.undo ? SHOWN_WITH_UNDO_MS : SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isHeld, toast]);

  const undo = () => {
    dismissToast(toast.id);
    toast.undo?.().catch((error: unknown) => reportFailedUndo({ text: toast.detail ?? toast.text, error }));
  };
  const hold = {
    onPointerEnter: () => setHeld(true),
    onPointerLeave: () => setHeld(false),
    onFocus: () => setHeld(true),
    onBlur: () => setHeld(false),
  };
  return (
    <div className={css.toast} {...hold}>
      <IconCheck size={20} aria-hidden className={css.icon} />
      <span className={css.text}>
        {toast.text}
        {toast.detail && <small>{toast.detail}</small>}
      </span>
      {toast.undo && (
        <button type="button" className={css.undo} onClick={undo}>
          Undo
        </button>
      )}
      <button type="button" className={css.close} aria-label="Close message" onClick={() => dismissToast(toast.id)}>
        <IconX size={18} aria-hidden />
      </button>
    </div>
  );
}
