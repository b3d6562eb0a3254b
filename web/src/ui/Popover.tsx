import { useClickOutside, useMergedRef } from '@mantine/hooks';
import { useEffect, useEffectEvent, useRef, useState, type ReactNode, type RefObject } from 'react';
import css from './Popover.module.css';

interface PopoverState {
  isOpen: boolean;
  /** Closes it and focuses its button. */
  close: () => void;
}

interface Props {
  /** The `summary` that opens it. */
  button: (ref: RefObject<HTMLElement | null>) => ReactNode;
  /** What opens, beside the button. */
  children: (state: PopoverState) => ReactNode;
  className?: string | undefined;
}

const ELSEWHERE = ['pointerdown', 'focusin'];

/**
 * A button that opens something beside it: `details` of HTML, which needs no script. With the app there it closes
 * with Escape, by a press elsewhere, and when the focus goes elsewhere.
 */
export function Popover({ button, children, className = '' }: Props) {
  const [isOpen, setOpen] = useState(false);
  // The browser reports in a later task that it has opened, and a key can come before.
  const [isUsed, setUsed] = useState(false);
  const summary = useRef<HTMLElement>(null);
  const root = useRef<HTMLDetailsElement>(null);
  const shut = () => {
    if (root.current) root.current.open = false;
  };
  const watched = useClickOutside<HTMLDetailsElement>(shut, ELSEWHERE, undefined, isUsed);
  const bothRefs = useMergedRef(root, watched);
  const close = () => {
    shut();
    summary.current?.focus();
  };

  // It may have been opened before hydration.
  useEffect(() => {
    const wasOpened = root.current?.open ?? false;
    setOpen(wasOpened);
    setUsed(wasOpened);
  }, [root]);
  const onKey = useEffectEvent(({ key }: KeyboardEvent) => key === 'Escape' && root.current?.open && close());
  useEffect(() => {
    if (!isUsed) return;
    const listener = (event: KeyboardEvent) => onKey(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, [isUsed]);

  return (
    <details
      ref={bothRefs}
      className={`${css.root} ${className}`}
      onClick={() => setUsed(true)}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      {button(summary)}
      {children({ isOpen, close })}
    </details>
  );
}
