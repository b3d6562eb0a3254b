import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';

interface Props {
  label: string;
  value: string;
  onChange: (text: string) => void;
  placeholder?: string;
  /** In a dialog: takes the focus when it opens. */
  isFirst?: boolean;
}

/** The search of a page. The key `/` goes to it from anywhere that is no field. */
export function SearchBox({ label, value, onChange, placeholder, isFirst }: Props) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (
        event.key !== '/' ||
        event.ctrlKey ||
        event.metaKey ||
        target.closest('input, textarea, select, [contenteditable], [role="dialog"]')
      )
        return;
      event.preventDefault();
      input.current?.focus();
    };
    document.addEventListener('keydown', focus);
    return () => document.removeEventListener('keydown', focus);
  }, []);
  return (
    <TextInput
      ref={input}
      type="search"
      label={label}
      value={value}
      placeholder={placeholder}
      data-autofocus={isFirst || undefined}
      leftSection={<IconSearch size={18} aria-hidden />}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
