import { useEffect, useEffectEvent, useRef, useState, type ReactNode, type RefObject } from 'react';

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
  const onEvent = useEffectEvent((event: Event) => {
    if (!(event instanceof KeyboardEvent)) {
      if (root.current && !event.composedPath().includes(root.current)) shut();
    } else if (event.key === 'Escape' && root.current?.open) close();
  });
  useEffect(() => {
    if (!isUsed) return;
    const listening = new AbortController();
    for (const type of ['keydown', 'pointerdown', 'focusin'])
      document.addEventListener(type, (event) => onEvent(event), listening);
    return () => listening.abort();
  }, [isUsed]);

  return (
    <details
      ref={root}
      className={`no-marker ${className}`}
      onClick={() => setUsed(true)}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      {button(summary)}
      {children({ isOpen, close })}
    </details>
  );
}
