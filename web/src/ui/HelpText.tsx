import { IconHelpCircle } from '@tabler/icons-react';
import { useLayoutEffect, useRef, type ReactNode } from 'react';
import css from './HelpText.module.css';
import { Popover } from './Popover.tsx';

const EDGE = 12;

/** A question mark that opens an explanation. Works by touch, mouse and keyboard. */
export function HelpText({ about, children }: { about: string; children: ReactNode }) {
  return (
    <Popover
      className={`${css.root} no-print`}
      button={(ref) => (
        <summary
          ref={ref}
          className={css.button}
          aria-label={`About ${about.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())}`}
        >
          <IconHelpCircle size={18} aria-hidden />
        </summary>
      )}
    >
      {({ isOpen }) => <Explanation isOpen={isOpen}>{children}</Explanation>}
    </Popover>
  );
}

function Explanation({ isOpen, children }: { isOpen: boolean; children: ReactNode }) {
  const text = useRef<HTMLDivElement>(null);
  // Keeps the text inside the viewport.
  useLayoutEffect(() => {
    const box = text.current;
    if (!isOpen || !box) return;
    box.style.setProperty('--shift', '0px');
    const { left, right } = box.getBoundingClientRect();
    const over = right - (document.body.clientWidth - EDGE);
    box.style.setProperty('--shift', `${left < EDGE ? EDGE - left : over > 0 ? -over : 0}px`);
  }, [isOpen]);
  return (
    <div ref={text} className={`raised small light ${css.text}`} role="note">
      {children}
    </div>
  );
}
