import { useState } from 'react';
import { Button } from '../../../../ui/Button.tsx';
import { TextInput, type TextInputProps } from '../../../../ui/Field.tsx';

interface Props extends Omit<TextInputProps, 'label' | 'description' | 'autoComplete' | 'inputMode'> {
  /** A recovery code has letters, the code of an authenticator app digits alone. */
  isRecovery: boolean;
}

/** A code of the user's authenticator app, or a recovery code. */
export const FactorCodeField = ({ isRecovery, ...props }: Props) => (
  <TextInput
    {...props}
    label={isRecovery ? 'Recovery code' : 'Code'}
    description={
      isRecovery
        ? 'One of the codes that you kept for when you do not have your device.'
        : 'The six digits that your authenticator app shows now.'
    }
    inputMode={isRecovery ? 'text' : 'numeric'}
    autoComplete="one-time-code"
    autoCapitalize="none"
    spellCheck={false}
  />
);

interface EitherProps extends Omit<Props, 'isRecovery'> {
  hasApp: boolean;
}

/** The field of the app's code, with a button that changes it to a recovery code. */
export function EitherCodeField({ hasApp, ...props }: EitherProps) {
  const [isRecovery, setRecovery] = useState(!hasApp);
  return (
    <>
      <FactorCodeField {...props} isRecovery={isRecovery} />
      {hasApp && (
        <Button variant="subtle" onClick={() => setRecovery(!isRecovery)}>
          {isRecovery ? 'Use your authenticator app' : 'Use a recovery code'}
        </Button>
      )}
    </>
  );
}
