import { type ButtonLook, lookLikeButton } from './Button.tsx';
import { Link, type LinkProps } from './Link.tsx';

/** A link that looks like a button. */
export const ButtonLink = (props: ButtonLook & Omit<LinkProps, 'color'>) => <Link {...lookLikeButton(props)} />;
