import { useClickOutside } from '@mantine/hooks';
import { useEffect, useRef, useState, type RefObject } from 'react';

export interface Popover<Root extends HTMLElement> {
  isOpen: boolean;
  toggle: () => void;
  close: () => void;
  /** For the element that holds the button and what it opens. */
  root: RefObject<Root | null>;
  /** For the button: it has the focus again after Escape. */
  button: RefObject<HTMLButtonElement | null>;
}

const ELSEWHERE = ['pointerdown', 'focusin'];

/** What a button opens beside it. Closes with Escape, by a press elsewhere, and when the focus goes elsewhere. */
export function usePopover<Root extends HTMLElement = HTMLDivElement>(): Popover<Root> {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => setOpen(false);
  const root = useClickOutside<Root>(close, ELSEWHERE);

  useEffect(() => {
    if (!isOpen) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      setOpen(false);
      button.current?.focus();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [isOpen]);

  return { isOpen, toggle: () => setOpen((before) => !before), close, root, button };
}
