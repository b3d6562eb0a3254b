import { type ReactNode, useEffect, useRef } from 'react';
import css from './ActionMenu.module.css';
import { placeItems } from './ActionMenu.tsx';

interface Props {
  /** What the actions are of, for screen readers: `Actions for Dilys Okoro`. */
  label: string;
  /** MenuLinks and MenuButtons while the menu is open. */
  children: ReactNode;
  onClose: () => void;
}

/**
 * The actions of a row of a table. Its button has no handler: the table listens for presses of all rows and renders the
 * actions of one.
 */
export const RowMenu = ({ label, children, onClose }: Props) => (
  <details className={`${css.menu} ${css.ofRow}`}>
    <summary aria-label={label}>
      <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden>
        <path d="M4 12a1 1 0 1 0 2 0a1 1 0 1 0-2 0M11 12a1 1 0 1 0 2 0a1 1 0 1 0-2 0M18 12a1 1 0 1 0 2 0a1 1 0 1 0-2 0" />
      </svg>
    </summary>
    {children && <OpenItems onClose={onClose}>{children}</OpenItems>}
  </details>
);

/** The actions of an open menu. It closes with Escape, by a press elsewhere and when the focus goes elsewhere. */
function OpenItems({ children, onClose }: Omit<Props, 'label'>) {
  const box = useRef<HTMLDivElement>(null);
  const close = () => {
    const menu = box.current?.closest('details');
    if (!menu) return;
    menu.open = false;
    menu.querySelector('summary')?.focus();
  };
  useEffect(() => {
    const items = box.current;
    const menu = items?.closest('details');
    if (!items || !menu) return;
    if (menu.open) placeItems(items);
    const ended = new AbortController();
    const { signal } = ended;
    const leave = ({ target }: Event) => {
      if (!menu.contains(target as Node)) menu.open = false;
    };
    document.addEventListener('pointerdown', leave, { signal });
    document.addEventListener('focusin', leave, { signal });
    document.addEventListener('keydown', ({ key }) => key === 'Escape' && menu.open && close(), { signal });
    menu.addEventListener('toggle', () => (menu.open ? placeItems(items) : onClose()), { signal });
    return () => ended.abort();
  }, [onClose]);
  return (
    // A press on an action rises to here: the focus is on the button again before what the action shows takes it.
    <div ref={box} className={`raised ${css.items}`} role="presentation" onClick={close}>
      {children}
    </div>
  );
}
