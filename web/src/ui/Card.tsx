import type { ComponentProps } from 'react';
import css from './Card.module.css';

/** A section of a page on a surface of its own. */
export const Card = ({ className = '', ...rest }: ComponentProps<'section'>) => (
  <section className={`${css.card} ${className}`} {...rest} />
);
