import { TextInput } from './Field.tsx';
import { IconSearch } from '@tabler/icons-react';
import { PAGE_SEARCH } from '../shared/shortcuts.ts';

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

/** The search of a page. The key `/` focuses it unless a field has the focus. */
export const SearchBox = ({ label, value, name, onChange, placeholder, isFirst }: Props) => (
  <TextInput
    {...PAGE_SEARCH}
    type="search"
    label={label}
    name={name}
    value={value}
    placeholder={placeholder}
    data-autofocus={isFirst || undefined}
    icon={<IconSearch size={18} aria-hidden />}
    onChange={(event) => onChange(event.currentTarget.value)}
  />
);
