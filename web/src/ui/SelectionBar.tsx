import { Button } from './Button.tsx';
import { useState, type ReactNode } from 'react';
import { formatNumber } from '../shared/format.ts';
import css from './SelectionBar.module.css';
import type { Key, Selection } from './use-selection.ts';

interface Props {
  selection: Selection;
  total: number;
  pageKeys: readonly Key[];
  noun: readonly [string, string];
  loadAllKeys: (() => Promise<readonly Key[]>) | undefined;
  /** The buttons are there before a row is ticked, and say themselves why they are disabled. */
  isAlwaysShown: boolean;
  children: ReactNode;
}

/**
 * "12 of 300 selected", the step from the page to all results, and the buttons that act on them. It comes with the
 * first row that is ticked, over the foot of the window, so that no row moves.
 */
export function SelectionBar({ selection, total, pageKeys, noun, loadAllKeys, isAlwaysShown, children }: Props) {
  const [state, setState] = useState<'idle' | 'loading' | 'failed'>('idle');
  const chosen = selection.keys.size;
  const isPageChosen = pageKeys.length > 0 && pageKeys.every((key) => selection.keys.has(key));

  const selectAll = async () => {
    setState('loading');
    try {
      selection.set((await loadAllKeys?.()) ?? [], true);
      setState('idle');
    } catch {
      setState('failed');
    }
  };

  return (
    <div className={`${css.bar} no-print`} hidden={chosen === 0 && !isAlwaysShown}>
      <p className={css.count} aria-live="polite">
        {formatNumber(chosen)} of {formatNumber(total)} selected
      </p>
      {chosen > 0 && (
        <>
          {loadAllKeys && isPageChosen && chosen < total && (
            <Button variant="subtle" size="compact-md" loading={state === 'loading'} onClick={() => void selectAll()}>
              Select all {formatNumber(total)} {noun[1]}
            </Button>
          )}
          <Button variant="subtle" size="compact-md" onClick={selection.clear}>
            Clear selection
          </Button>
          {state === 'failed' && <span role="alert">We could not select all of them. Please try again.</span>}
        </>
      )}
      {(chosen > 0 || isAlwaysShown) && <div className={css.actions}>{children}</div>}
    </div>
  );
}
