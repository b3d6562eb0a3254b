import { IconX } from '@tabler/icons-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { IconButton } from '../ui/Button.tsx';
import { DialogStatusRegion } from '../ui/StatusRegion.tsx';
import { openOnTop } from '../ui/top-dialog.ts';
import css from './NavigationDrawer.module.css';

interface Props {
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** The sidebar on narrow screens. A modal `dialog`: the browser traps the focus and closes it with Escape. */
export function NavigationDrawer({ isOpen, onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const { current } = dialog;
    if (!isOpen || !current) return;
    const leaveTop = openOnTop(current);
    return () => {
      leaveTop();
      current.close();
    };
  }, [isOpen]);

  return (
    <dialog
      ref={dialog}
      className={css.drawer}
      aria-label="Menu"
      onClose={onClose}
      // Only a click on the backdrop has the dialog itself as its target.
      onClick={(event) => event.target === event.currentTarget && onClose()}
    >
      <div className={css.content}>
        <IconButton className={css.close} aria-label="Close menu" onClick={onClose}>
          <IconX size={24} aria-hidden />
        </IconButton>
        {isOpen && children}
      </div>
      <DialogStatusRegion />
    </dialog>
  );
}
