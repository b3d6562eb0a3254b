import { type ChangeEventHandler, useLayoutEffect, useRef } from 'react';
import css from './RowCheckbox.module.css';

interface Props {
  label: string;
  isChecked: boolean;
  /** Some, but not all, rows are selected. */
  isMixed?: boolean;
  onChange: ChangeEventHandler<HTMLInputElement>;
}

/** Selects a row of a table, which names it. */
export function RowCheckbox({ label, isChecked, isMixed = false, onChange }: Props) {
  const box = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (box.current) box.current.indeterminate = isMixed;
  }, [isMixed]);
  return (
    <input ref={box} type="checkbox" className={css.box} aria-label={label} checked={isChecked} onChange={onChange} />
  );
}
