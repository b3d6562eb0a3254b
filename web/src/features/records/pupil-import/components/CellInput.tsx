import { type KeyboardEvent, useState } from 'react';
import { TextInput } from '../../../../ui/Field.tsx';
import css from './DraftTable.module.css';

/** Cells are as wide as their texts, within these numbers of characters. */
const MIN_LENGTH = 10;
const MAX_LENGTH = 32;

interface Props {
  /** For screen readers: `Name in Row 7`. */
  label: string;
  value: string;
  onSave: (value: string) => void;
  placeholder?: string;
  /** The ID of a `datalist` to choose from. */
  list?: string;
}

/** A cell of a table, changed as in a spreadsheet: Enter or leaving it saves, Escape restores it. */
export function CellInput({ label, value, onSave, placeholder, list }: Props) {
  // What is being typed, until it is saved.
  const [typed, setTyped] = useState<string | null>(null);
  const save = () => {
    setTyped(null);
    if (typed !== null && typed.trim() !== value) onSave(typed.trim());
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') save();
    else if (event.key === 'Escape') setTyped(null);
  };
  return (
    <TextInput
      aria-label={label}
      className={css.cell}
      size="sm"
      {...(list && { list })}
      {...(placeholder && { placeholder })}
      maxLength={200}
      value={typed ?? value}
      style={{ '--length': Math.min(Math.max(value.length, MIN_LENGTH), MAX_LENGTH) } as object}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={save}
      onKeyDown={onKeyDown}
      autoComplete="off"
      spellCheck={false}
    />
  );
}
