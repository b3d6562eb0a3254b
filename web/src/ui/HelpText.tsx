import { IconHelpCircle } from '@tabler/icons-react';
import { useEffect, useId, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import css from './HelpText.module.css';

const EDGE = 12;

/** A question mark that opens an explanation beside what it explains. Works by touch, mouse and keyboard. */
export function HelpText({ about, children }: { about: string; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const root = useRef<HTMLSpanElement>(null);
  const text = useRef<HTMLSpanElement>(null);

  // Near an edge of the window the text moves in.
  useLayoutEffect(() => {
    const box = text.current;
    if (!isOpen || !box) return;
    box.style.setProperty('--shift', '0px');
    const { left, right } = box.getBoundingClientRect();
    const over = right - (document.body.clientWidth - EDGE);
    box.style.setProperty('--shift', `${left < EDGE ? EDGE - left : over > 0 ? -over : 0}px`);
  }, [isOpen]);

  useEffect(() => {
    if (!isOpen) return;
    const close = (event: Event) => {
      if (event instanceof KeyboardEvent ? event.key === 'Escape' : !root.current?.contains(event.target as Node))
        setOpen(false);
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
      <button
        type="button"
        className={css.button}
        aria-expanded={isOpen}
        aria-controls={id}
        aria-label={`What is meant: ${about}`}
        onClick={() => setOpen(!isOpen)}
      >
        <IconHelpCircle size={18} aria-hidden />
      </button>
      <span ref={text} id={id} className={css.text} hidden={!isOpen} role="note">
        {children}
      </span>
    </span>
  );
}
