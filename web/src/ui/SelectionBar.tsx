import { Button } from './Button.tsx';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { formatNumber } from '../shared/format.ts';
import { SELECTION_ACTIONS } from './RowCheckbox.tsx';
import { Sticky } from './Sticky.tsx';
import css from './SelectionBar.module.css';
import type { Key, Selection } from './use-selection.ts';

interface Props {
  selection: Selection;
  total: number;
  /** The search and filters of the list; empty without any. */
  filter: string;
  pageKeys: readonly Key[];
  noun: readonly [string, string];
  loadAllKeys: (() => Promise<readonly Key[]>) | undefined;
  /** The buttons are there before a row is ticked, and say themselves why they are disabled. */
  isAlwaysShown: boolean;
  children: ReactNode;
}

/**
 * "12 of 300 selected", the step from the page to all results, and the buttons that act on them. It comes with the
 * first row that is ticked, over the foot of the window, so that no row moves. Before that it
 * scrolls with the page.
 */
export function SelectionBar(props: Props) {
  const { selection, total, filter, pageKeys, noun, isAlwaysShown, children } = props;
  const chosen = selection.keys.size;
  const { state, hasAll, selectAll } = useSelectAll(props);
  const shown = hasAll ? total : pageKeys.filter((key) => selection.keys.has(key)).length;
  const canSelectAll = shown > 0 && shown === pageKeys.length && shown < total;

  return (
    <Sticky
      edge="bar"
      isStuck={chosen > 0}
      className={`row ${css.bar} no-print`}
      hidden={chosen === 0 && !isAlwaysShown}
    >
      <p className="figures strong flat">
        {shown < chosen
          ? `${formatNumber(chosen)} selected, ${formatNumber(shown)} shown`
          : `${formatNumber(chosen)} of ${formatNumber(total)} selected`}
      </p>
      {chosen > 0 && (
        <>
          {selectAll && canSelectAll && (
            <Button variant="subtle" size="compact-md" loading={state === 'loading'} onClick={() => void selectAll()}>
              Select all {formatNumber(total)} {noun[1]}
              {filter !== '' && ' found'}
            </Button>
          )}
          <Button variant="subtle" size="compact-md" onClick={selection.clear}>
            Clear selection
          </Button>
          {state === 'failed' && <span role="alert">We could not select all {noun[1]}. Please try again.</span>}
        </>
      )}
      {(chosen > 0 || isAlwaysShown) && (
        <div {...{ [SELECTION_ACTIONS]: '' }} className={`cluster ${css.actions}`}>
          {children}
        </div>
      )}
    </Sticky>
  );
}

/** Selects all rows of the list, on every page. `hasAll`: they are selected. */
function useSelectAll({ selection, total, filter, loadAllKeys }: Props) {
  const [state, setState] = useState<'idle' | 'loading' | 'failed'>('idle');
  const [all, setAll] = useState<{ filter: string; keys: readonly Key[] }>();
  const currentFilter = useRef(filter);
  useEffect(() => {
    currentFilter.current = filter;
  }, [filter]);
  const hasAll =
    all?.filter === filter && all.keys.length === total && all.keys.every((key) => selection.keys.has(key));
  const selectAll = async (load: () => Promise<readonly Key[]>) => {
    setState('loading');
    try {
      const keys = await load();
      setState('idle');
      // The user may have chosen another filter meanwhile.
      if (currentFilter.current !== filter) return;
      setAll({ filter, keys });
      selection.set(keys, true);
    } catch {
      setState('failed');
    }
  };
  return { state, hasAll, selectAll: loadAllKeys && (() => selectAll(loadAllKeys)) };
}
