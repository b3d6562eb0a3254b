import { Button, type ButtonProps } from './Button.tsx';
import type { ReactNode } from 'react';
import { Link, type LinkProps } from './Link.tsx';

/** A link that looks like a button. */
export function ButtonLink({ to, children, ...props }: ButtonProps & { to: LinkProps['to']; children: ReactNode }) {
  return (
    <Button component={Link} to={to} {...props}>
      {children}
    </Button>
  );
}
