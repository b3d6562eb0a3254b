import type { ComponentProps } from 'react';
import css from './Chip.module.css';

interface Props extends ComponentProps<'span'> {
  tone?: 'neutral' | 'action' | 'success' | 'attention' | 'danger';
}

/** A short label, such as a state or a tag. */
export const Chip = ({ tone = 'neutral', ...props }: Props) => (
  <span className={css.chip} data-tone={tone} {...props} />
);
