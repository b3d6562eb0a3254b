import { Button, type ButtonProps } from '@mantine/core';
import { useId, useState, type MouseEvent } from 'react';
import css from './ReasonedButton.module.css';

interface Props extends ButtonProps {
  /** Why the button cannot be used now. Without a reason it can. */
  reason?: string | undefined;
  onClick: (event: MouseEvent<HTMLButtonElement>) => void;
}

/** A button that, while it cannot be used, stays reachable and says why: on hover, on focus and when pressed. */
export function ReasonedButton({ reason, onClick, children, ...rest }: Props) {
  const id = useId();
  const [isAsked, setAsked] = useState(false);
  if (!reason)
    return (
      <Button {...rest} onClick={onClick}>
        {children}
      </Button>
    );
  return (
    <span className={css.root} data-asked={isAsked || undefined}>
      <Button {...rest} data-disabled aria-disabled aria-describedby={id} onClick={() => setAsked(true)} onBlur={() => setAsked(false)}>
        {children}
      </Button>
      <span id={id} role="tooltip" className={css.reason}>
        {reason}
      </span>
    </span>
  );
}
