import { VisuallyHidden } from '../ui/VisuallyHidden.tsx';
import { IconSearch } from '@tabler/icons-react';
import { lazy, memo, Suspense, useRef } from 'react';
import { openPalette, PALETTE_ID } from '../shared/shortcuts.ts';
import { Button } from '../ui/Button.tsx';
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx';
import { PartFailure } from '../ui/PartFailure.tsx';
import css from './Header.module.css';

// Loaded at once on the server, which renders without waiting.
const CommandPalettePanel = import.meta.env.SSR
  ? (await import('./CommandPalettePanel.tsx')).default
  : lazy(() => import('./CommandPalettePanel.tsx'));

function PaletteFailure() {
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <dialog ref={dialog} id={PALETTE_ID} aria-label="Find anything">
      <PartFailure />
      <Button variant="default" onClick={() => dialog.current?.close()}>
        Close
      </Button>
    </dialog>
  );
}

/**
 * Finds a pupil, class, colleague, book or screen from anywhere: a button, and Ctrl-K or Command-K. The server
 * renders the panel closed, and its field accepts text before the panel's script has loaded. Memoised, because React
 * would replace a panel that it cannot hydrate yet if a parent re-rendered it.
 */
export const CommandPalette = memo(function CommandPalette() {
  return (
    <>
      <button
        type="button"
        className={`${css.tool} ${css.search}`}
        aria-keyshortcuts="Control+K Meta+K"
        aria-haspopup="dialog"
        onClick={openPalette}
      >
        <IconSearch size={20} aria-hidden />
        <span className={css.word}>
          Find<VisuallyHidden> anything</VisuallyHidden>
        </span>
        <kbd className={css.key} aria-hidden>
          Ctrl K
        </kbd>
      </button>
      <ErrorBoundary fallback={<PaletteFailure />}>
        <Suspense fallback={null}>
          <CommandPalettePanel />
        </Suspense>
      </ErrorBoundary>
    </>
  );
});
