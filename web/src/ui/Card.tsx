import type { ComponentProps } from 'react';
import css from './Card.module.css';

/** A section of a page on its own surface. */
export const Card = ({ className = '', ...props }: ComponentProps<'section'>) => (
  <section className={`sheet ${css.card} ${className}`} {...props} />
);
