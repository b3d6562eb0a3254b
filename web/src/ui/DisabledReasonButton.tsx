import { Button, type ButtonProps } from '@mantine/core';
import { useId, useState, type MouseEvent } from 'react';
import css from './DisabledReasonButton.module.css';

interface Props extends ButtonProps {
  /** Why the button is disabled. Without a reason it is enabled. */
  disabledReason?: string | undefined;
  /** The side of the button on which the reason appears. Use `above` at the bottom of a table, where there is no space below. */
  side?: 'above' | 'below';
  'aria-label'?: string;
  /** A `submit` button needs no `onClick`. */
  type?: 'button' | 'submit';
  onClick?: (event: MouseEvent<HTMLButtonElement>) => void;
}

/** A button that stays focusable while it is disabled, and shows the reason on hover, focus and press. */
export function DisabledReasonButton({
  disabledReason,
  side = 'below',
  type = 'button',
  onClick,
  children,
  ...rest
}: Props) {
  const id = useId();
  const [isReasonShown, setReasonShown] = useState(false);
  if (!disabledReason)
    return (
      <Button {...rest} type={type} {...(onClick && { onClick })}>
        {children}
      </Button>
    );
  return (
    <span className={css.root} data-reason-shown={isReasonShown || undefined}>
      <Button
        {...rest}
        type="button"
        data-disabled
        aria-disabled
        aria-describedby={id}
        onClick={() => setReasonShown(true)}
        onBlur={() => setReasonShown(false)}
      >
        {children}
      </Button>
      <span id={id} role="tooltip" className={css.reason} data-side={side}>
        {disabledReason}
      </span>
    </span>
  );
}
