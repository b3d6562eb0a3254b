import { type ChangeEventHandler, useLayoutEffect, useRef } from 'react';
import css from './RowCheckbox.module.css';

interface Props {
  label: string;
  isChecked: boolean;
  /** Some of what it stands for is chosen. */
  isMixed?: boolean;
  onChange: ChangeEventHandler<HTMLInputElement>;
}

/**
 * Chooses a row of a table. The browser's own: each of the library's draws itself twice when a page that came drawn
 * is taken over, and a table has fifty.
 */
export function RowCheckbox({ label, isChecked, isMixed = false, onChange }: Props) {
  const box = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (box.current) box.current.indeterminate = isMixed;
  }, [isMixed]);
  return (
    <input ref={box} type="checkbox" className={css.box} aria-label={label} checked={isChecked} onChange={onChange} />
  );
}
