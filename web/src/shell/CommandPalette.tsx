import { VisuallyHidden } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { lazy, useEffect, useState } from 'react';
import { Dialog } from '../ui/Dialog.tsx';
import css from './CommandPalette.module.css';

const CommandPalettePanel = lazy(() => import('./CommandPalettePanel.tsx'));

/** The way to a pupil or a class from anywhere: a button, and Ctrl-K or Command-K. */
export function CommandPalette() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key.toLowerCase() !== 'k')
        return;
      event.preventDefault();
      // Not above another dialog: what is asked there comes first.
      if (!document.querySelector('[role="dialog"], [role="alertdialog"], dialog[open]')) setOpen(true);
    };
    document.addEventListener('keydown', open);
    return () => document.removeEventListener('keydown', open);
  }, []);
  const close = () => setOpen(false);

  return (
    <>
      <button
        type="button"
        className={css.button}
        aria-keyshortcuts="Control+K Meta+K"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <IconSearch size={20} aria-hidden />
        <span className={css.word}>
          Find<VisuallyHidden> a pupil or a class</VisuallyHidden>
        </span>
        <kbd className={css.key} aria-hidden>
          Ctrl K
        </kbd>
      </button>
      <Dialog isOpen={isOpen} onClose={close} title="Find a pupil or a class" size="lg">
        <CommandPalettePanel onDone={close} />
      </Dialog>
    </>
  );
}
