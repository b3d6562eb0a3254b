import { IconHelpCircle } from '@tabler/icons-react';
import { useId, useLayoutEffect, useRef, type ReactNode } from 'react';
import { usePopover } from './use-popover.ts';
import css from './HelpText.module.css';

const EDGE = 12;

/** A question mark that opens an explanation beside what it explains. Works by touch, mouse and keyboard. */
export function HelpText({ about, children }: { about: string; children: ReactNode }) {
  const { isOpen, toggle, root, button } = usePopover<HTMLSpanElement>();
  const id = useId();
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

  return (
    <span className={css.root} ref={root}>
      <button
        ref={button}
        type="button"
        className={css.button}
        aria-expanded={isOpen}
        aria-controls={id}
        aria-label={`What is meant: ${about}`}
        onClick={toggle}
      >
        <IconHelpCircle size={18} aria-hidden />
      </button>
      <span ref={text} id={id} className={css.text} hidden={!isOpen} role="note">
        {children}
      </span>
    </span>
  );
}
