import { Button, type ButtonProps } from './Button.tsx';
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
  const props = disabledReason
    ? ({
        type: 'button',
        'aria-disabled': true,
        'aria-describedby': id,
        onClick: () => setReasonShown(true),
        onBlur: () => setReasonShown(false),
      } as const)
    : { type, ...(onClick && { onClick }) };
  // One element in both states, so that a button that becomes disabled keeps the focus.
  return (
    <span className={css.root} data-reason-shown={(disabledReason && isReasonShown) || undefined}>
      <Button {...rest} {...props}>
        {children}
      </Button>
      {disabledReason && (
        <span id={id} role="tooltip" className={css.reason} data-side={side}>
          {disabledReason}
        </span>
      )}
    </span>
  );
}
