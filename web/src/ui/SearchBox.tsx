import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useLayoutEffect, useRef } from 'react';
import { isSearchShortcut, takeBufferedKeys } from '../shared/key-buffer.ts';

interface Props {
  label: string;
  value: string;
  /** In a form: the parameter of the address that it sets. */
  name?: string;
  onChange: (text: string) => void;
  placeholder?: string;
  /** In a dialog: takes the focus when it opens. */
  isFirst?: boolean;
}

/** The search of a page. The key `/` goes to it from anywhere that is no field. */
export function SearchBox({ label, value, name, onChange, placeholder, isFirst }: Props) {
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    const focus = (event: KeyboardEvent) => {
      if (!isSearchShortcut(event)) return;
      event.preventDefault();
      input.current?.focus();
    };
    document.addEventListener('keydown', focus);
    return () => document.removeEventListener('keydown', focus);
  }, []);
  // What was typed for it before it was there.
  const change = useRef(onChange);
  useLayoutEffect(() => {
    const typed = takeBufferedKeys('search');
    if (typed === null) return;
    input.current?.focus();
    if (typed) change.current(typed);
  }, []);
  return (
    <TextInput
      ref={input}
      type="search"
      label={label}
      name={name}
      value={value}
      placeholder={placeholder}
      data-autofocus={isFirst || undefined}
      leftSection={<IconSearch size={18} aria-hidden />}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
