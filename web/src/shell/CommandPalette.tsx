import { VisuallyHidden } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { lazy, useCallback, useLayoutEffect, useState } from 'react';
import { bufferKeysFor, claimPaletteShortcut, isPaletteShortcut, takeBufferedKeys } from '../shared/key-buffer.ts';
import { Dialog } from '../ui/Dialog.tsx';
import css from './CommandPalette.module.css';

const CommandPalettePanel = lazy(() => import('./CommandPalettePanel.tsx'));

/** The way to a pupil, a class, a colleague, a book or a screen from anywhere: a button, and Ctrl-K or Command-K. */
export function CommandPalette() {
  const [isOpen, setOpen] = useState(false);
  const open = useCallback(() => {
    bufferKeysFor('palette');
    setOpen(true);
  }, []);
  // Before anything is painted: whoever sees the page can use the keys.
  useLayoutEffect(() => {
    if (claimPaletteShortcut()) setOpen(true);
    const onKey = (event: KeyboardEvent) => {
      if (!isPaletteShortcut(event)) return;
      event.preventDefault();
      // Not above another dialog: what is asked there comes first.
      if (!document.querySelector('[role="dialog"], [role="alertdialog"], dialog[open]')) open();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [open]);
  const close = () => {
    takeBufferedKeys('palette');
    setOpen(false);
  };

  return (
    <>
      <button
        type="button"
        className={css.button}
        aria-keyshortcuts="Control+K Meta+K"
        aria-haspopup="dialog"
        onClick={open}
      >
        <IconSearch size={20} aria-hidden />
        <span className={css.word}>
          Find<VisuallyHidden> anything</VisuallyHidden>
        </span>
        <kbd className={css.key} aria-hidden>
          Ctrl K
        </kbd>
      </button>
      <Dialog isOpen={isOpen} onClose={close} title="Find anything" size="lg" isHanging>
        <CommandPalettePanel onDone={close} />
      </Dialog>
    </>
  );
}
