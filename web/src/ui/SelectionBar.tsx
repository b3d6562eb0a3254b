import { Button } from '@mantine/core';
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
  children: ReactNode;
}

/** "12 of 300 selected", the step from the page to all results, and the buttons that act on them. */
export function SelectionBar({ selection, total, pageKeys, noun, loadAllKeys, children }: Props) {
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
    <div className={css.bar} data-on={chosen > 0 || undefined}>
      <p className={css.count} aria-live="polite">
        {chosen > 0 ? `${formatNumber(chosen)} of ${formatNumber(total)} selected` : `No ${noun[1]} selected`}
      </p>
      {loadAllKeys && isPageChosen && chosen < total && (
        <Button variant="subtle" size="compact-md" loading={state === 'loading'} onClick={() => void selectAll()}>
          Select all {formatNumber(total)} {noun[1]}
        </Button>
      )}
      {chosen > 0 && (
        <Button variant="subtle" size="compact-md" onClick={selection.clear}>
          Clear selection
        </Button>
      )}
      {state === 'failed' && <span role="alert">They could not all be selected. Please try again.</span>}
      <div className={css.actions}>{children}</div>
    </div>
  );
}
