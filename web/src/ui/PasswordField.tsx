import { useState } from 'react';
import { TextInput, type TextInputProps } from './Field.tsx';
import css from './Field.module.css';

interface Props extends Omit<TextInputProps, 'type' | 'end' | 'className' | 'autoComplete'> {
  /** `current-password` at a login, `new-password` where one is chosen. */
  autoComplete: 'current-password' | 'new-password';
}

/** A password that can be shown while it is typed, and pasted from a password manager. */
export function PasswordField(props: Props) {
  const [isShown, setShown] = useState(false);
  return (
    <TextInput
      {...props}
      type={isShown ? 'text' : 'password'}
      autoCapitalize="none"
      spellCheck={false}
      className={css.password}
      end={
        <button
          type="button"
          className="like-link small with-script"
          data-toggles-password
          aria-label={isShown ? 'Hide password' : 'Show password'}
          onClick={() => setShown(!isShown)}
        >
          {isShown ? 'Hide' : 'Show'}
        </button>
      }
    />
  );
}
