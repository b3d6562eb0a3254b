import { IconX } from '@tabler/icons-react';
import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import css from './Button.module.css';

export interface ButtonLook {
  variant?: 'filled' | 'default' | 'subtle';
  /** Less than 44 px high, for rows and notices. */
  size?: 'sm' | 'compact-md' | 'compact-sm';
  /** `brick` deletes, or cannot be undone. */
  color?: 'brick';
  fullWidth?: boolean | undefined;
  leftSection?: ReactNode;
  rightSection?: ReactNode;
  className?: string | undefined;
  children?: ReactNode;
}

type WithLook<Tag extends 'button' | 'a' | 'summary'> = ButtonLook & Omit<ComponentProps<Tag>, 'color'>;

export interface ButtonProps extends WithLook<'button'> {
  /** Shows a spinner and ignores presses. The button keeps its width and the focus. */
  loading?: boolean | undefined;
}

/** Also keeps Enter in a field from submitting the form, for which browsers press its button. */
const ignorePress = (event: MouseEvent) => {
  event.preventDefault();
  event.stopPropagation();
};
const BUSY = { 'aria-busy': true, 'aria-disabled': true, onClick: ignorePress };

/** The props of an element that looks like a button. */
export function lookLikeButton<Rest extends object>({
  variant,
  size,
  color,
  fullWidth,
  leftSection,
  rightSection,
  className,
  children,
  ...rest
}: ButtonLook & Rest) {
  return {
    ...rest,
    className: className === undefined ? css.button : `${css.button} ${className}`,
    'data-variant': variant,
    'data-size': size,
    'data-color': color,
    'data-full': fullWidth || undefined,
    children: (
      <>
        {leftSection}
        <span className={css.label}>{children}</span>
        {rightSection}
      </>
    ),
  };
}

export const Button = ({ loading, type = 'button', ...props }: ButtonProps) => (
  <button {...lookLikeButton(props)} type={type} {...(loading && BUSY)} />
);

/** A link to a file, or to a page outside the app, that looks like a button. */
export function ButtonAnchor(props: WithLook<'a'> & { href: string }) {
  const { children, ...rest } = lookLikeButton(props);
  return <a {...rest}>{children}</a>;
}

/** Opens the `details` around it. */
export const ButtonSummary = (props: WithLook<'summary'>) => <summary {...lookLikeButton(props)} />;

/** A button of 44 px that shows only an icon. */
export const IconButton = ({ className = '', ...props }: ComponentProps<'button'> & { 'aria-label': string }) => (
  <button type="button" className={`${css.icon} ${className}`} {...props} />
);

export const CloseButton = (props: { 'aria-label': string; onClick: () => void }) => (
  <IconButton {...props}>
    <IconX size={28} stroke={1.5} aria-hidden />
  </IconButton>
);
