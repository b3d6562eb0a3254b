import { IconHelpCircle } from '@tabler/icons-react';
import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import css from './HelpText.module.css';

/** A question mark that opens an explanation beside what it explains. Works by touch, mouse and keyboard. */
export function HelpText({ about, children }: { about: string; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const root = useRef<HTMLSpanElement>(null);

  useEffect(() => {
    if (!isOpen) return;
    const close = (event: Event) => {
      if (event instanceof KeyboardEvent ? event.key === 'Escape' : !root.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener('pointerdown', close);
    document.addEventListener('keydown', close);
    return () => {
      document.removeEventListener('pointerdown', close);
      document.removeEventListener('keydown', close);
    };
  }, [isOpen]);

  return (
    <span className={css.root} ref={root}>
      <button type="button" className={css.button} aria-expanded={isOpen} aria-controls={id} aria-label={`What is meant: ${about}`} onClick={() => setOpen(!isOpen)}>
        <IconHelpCircle size={18} aria-hidden />
      </button>
      <span id={id} className={css.text} hidden={!isOpen} role="note">
        {children}
      </span>
    </span>
  );
}
