import { TextInput, type TextInputProps } from '../../../../ui/Field.tsx';

interface Props extends Omit<TextInputProps, 'label' | 'description' | 'autoComplete'> {
  /** The user has an authenticator app. Otherwise only a recovery code is left. */
  hasApp: boolean;
}

/** The code of the second step of a login. */
export const FactorCodeField = ({ hasApp, ...props }: Props) => (
  <TextInput
    {...props}
    label={hasApp ? 'Code' : 'Recovery code'}
    description={
      hasApp
        ? 'The six digits that your authenticator app shows now. Without your phone, enter one of your recovery codes.'
        : 'If you do not have your passkey, enter one of your recovery codes.'
    }
    autoComplete="one-time-code"
    autoCapitalize="none"
    spellCheck={false}
    data-autofocus
    autoFocus
  />
);
