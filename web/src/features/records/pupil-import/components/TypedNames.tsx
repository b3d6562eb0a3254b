import { IconButton } from '../../../../ui/Button.tsx';
import { TextInput } from '../../../../ui/Field.tsx';
import { IconX } from '@tabler/icons-react';
import { useEffect, useRef, type ClipboardEvent, type KeyboardEvent } from 'react';
import css from './TypedNames.module.css';

interface Props {
  names: readonly string[];
  onChange: (names: string[]) => void;
  /** Called when several cells are pasted into one field. */
  onPasteTable: (text: string) => void;
  /** Errors by row number, from 0. */
  problems: Readonly<Record<number, string>>;
}

/** `id` of a row's field, for the error summary. */
export const fieldOf = (index: number) => `pupil-${index}`;

/** Rows of names. A new row appears when the last one is filled in. */
export function TypedNames({ names, onChange, onPasteTable, problems }: Props) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    // On a touch screen the keyboard would cover the page.
    if (matchMedia('(pointer: fine)').matches) list.current?.querySelector('input')?.focus({ preventScroll: true });
  }, []);
  const setName = (index: number, name: string) => {
    const next = names.with(index, name);
    if (name.trim() !== '' && index === names.length - 1) next.push('');
    onChange(next);
  };
  const paste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text/plain');
    // A single cell copied from a spreadsheet ends with a line break, and is still one name.
    if (!/[\t\n]/.test(text.trim())) return;
    event.preventDefault();
    onPasteTable(text);
  };
  const onKeyDown = (event: KeyboardEvent, index: number) => {
    if (event.key !== 'Enter' || index === names.length - 1) return;
    // Enter moves to the next row, as in a spreadsheet. In the last, empty row it moves on to the button.
    event.preventDefault();
    document.getElementById(fieldOf(index + 1))?.focus();
  };

  return (
    <ol ref={list} className={`stack-s ${css.rows}`} aria-label="Names of the pupils">
      {names.map((name, index) => (
        <li key={index}>
          <span className={`soft figures ${css.number}`} aria-hidden>
            {index + 1}
          </span>
          <TextInput
            id={fieldOf(index)}
            className={css.field}
            value={name}
            aria-label={`Name of pupil ${index + 1}`}
            placeholder={index === 0 ? 'First name and last name' : undefined}
            error={problems[index]}
            autoComplete="off"
            autoCapitalize="words"
            spellCheck={false}
            onChange={(event) => setName(index, event.currentTarget.value)}
            onPaste={paste}
            onKeyDown={(event) => onKeyDown(event, index)}
          />
          <IconButton
            aria-label={`Remove row ${index + 1}`}
            className={names.length === 1 || (index === names.length - 1 && name === '') ? css.unused : undefined}
            onClick={() => onChange(names.toSpliced(index, 1))}
          >
            <IconX size={18} aria-hidden />
          </IconButton>
        </li>
      ))}
    </ol>
  );
}
