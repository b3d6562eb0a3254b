import { TextInput, type TextInputProps } from './Field.tsx';

interface Props extends Omit<TextInputProps, 'type' | 'inputMode' | 'autoComplete'> {
  /** `username webauthn` at a login, `username` for the account's own address, `email` where an address is given. */
  autoComplete: 'username webauthn' | 'username' | 'email';
}

/** A field for an email address, with the right keyboard and without autocorrect. */
export const EmailField = (props: Props) => (
  <TextInput label="Email" {...props} type="email" inputMode="email" autoCapitalize="none" spellCheck={false} />
);
