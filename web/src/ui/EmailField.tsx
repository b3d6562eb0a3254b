import { TextInput, type TextInputProps } from '@mantine/core';

interface Props extends Omit<TextInputProps, 'type' | 'inputMode' | 'autoComplete'> {
  /** `username` at a login, `email` where an address is given. */
  autoComplete: 'username' | 'email';
}

/** A field for an email address, with the right keyboard and without autocorrect. */
export const EmailField = (props: Props) => (
  <TextInput label="Email" {...props} type="email" inputMode="email" autoCapitalize="none" spellCheck={false} />
);
