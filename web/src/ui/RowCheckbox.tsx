import { type ChangeEventHandler, useLayoutEffect, useRef } from 'react';
import css from './DataTable.module.css';

interface Props {
  label: string;
  isChecked: boolean;
}

/** The table handles its changes, because one handler for each row would slow down hydration. */
const ignoreChange = () => {};

/** Marks the checkboxes whose changes the table handles. */
export const ROW_CHECKBOX = 'data-selects-row';

/** Marks the buttons that act on the selected rows. */
export const SELECTION_ACTIONS = 'data-selection-actions';

/** One Tab after the row that was ticked last, and seen only with the focus: the actions are after all rows. */
export const ToActions = () => (
  <button
    type="button"
    className={`box ${css.toActions} no-print`}
    onClick={({ currentTarget }) => {
      const actions = currentTarget.closest(`.${css.root}`)?.querySelector(`[${SELECTION_ACTIONS}]`);
      actions?.querySelector<HTMLElement>('button:not([aria-disabled="true"])')?.focus();
    }}
  >
    Go to the actions
  </button>
);

/** Selects a row of a table. */
export const RowCheckbox = ({ label, isChecked }: Props) => (
  <input
    {...{ [ROW_CHECKBOX]: '' }}
    type="checkbox"
    className={css.rowCheckbox}
    aria-label={label}
    checked={isChecked}
    onChange={ignoreChange}
  />
);

interface PageProps extends Props {
  /** Some, but not all, rows are selected. */
  isMixed: boolean;
  onChange: ChangeEventHandler<HTMLInputElement>;
}

/** Selects all rows on the page of a table. */
export function PageCheckbox({ label, isChecked, isMixed, onChange }: PageProps) {
  const box = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (box.current) box.current.indeterminate = isMixed;
  }, [isMixed]);
  return (
    <input
      ref={box}
      type="checkbox"
      className={css.rowCheckbox}
      aria-label={label}
      checked={isChecked}
      onChange={onChange}
    />
  );
}
