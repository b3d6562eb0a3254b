import { Button, type ButtonProps } from '@mantine/core';
import { useId, useState, type MouseEvent } from 'react';
import css from './DisabledReasonButton.module.css';

interface Props extends ButtonProps {
  /** Why the button cannot be used now. Without a reason it can. */
  disabledReason?: string | undefined;
  /** On which side of the button the reason stands. `above` in tables: at their foot there is no room below. */
  side?: 'above' | 'below';
  'aria-label'?: string;
  /** A `submit` needs no handler of its own. */
  type?: 'button' | 'submit';
  onClick?: (event: MouseEvent<HTMLButtonElement>) => void;
}

/** A button that, while it cannot be used, stays reachable and says why: on hover, on focus and when pressed. */
export function DisabledReasonButton({
  disabledReason,
  side = 'below',
  type = 'button',
  onClick,
  children,
  ...rest
}: Props) {
  const id = useId();
  const [isAsked, setAsked] = useState(false);
  if (!disabledReason)
    return (
      <Button {...rest} type={type} {...(onClick && { onClick })}>
        {children}
      </Button>
    );
  return (
    <span className={css.root} data-asked={isAsked || undefined}>
      <Button
        {...rest}
        type="button"
        data-disabled
        aria-disabled
        aria-describedby={id}
        onClick={() => setAsked(true)}
        onBlur={() => setAsked(false)}
      >
        {children}
      </Button>
      <span id={id} role="tooltip" className={css.reason} data-side={side}>
        {disabledReason}
      </span>
    </span>
  );
}
