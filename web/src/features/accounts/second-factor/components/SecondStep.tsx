import { Button } from '../../../../ui/Button.tsx';
import { TextInput } from '../../../../ui/Field.tsx';
import type { User } from '#contract/calls/access.ts';
import { loginFactorBody } from '#contract/calls/second-factor.ts';
import type { SecondStepData } from '../../../../shared/second-step.ts';
import { useSchemaForm } from '../../../../shared/use-schema-form.ts';
import { Form } from '../../../../ui/Form.tsx';
import { logInWithFactor, logInWithPasskey } from '../second-factor.api.ts';
import { Enrolment } from './Enrolment.tsx';
import { PasskeyButton } from './PasskeyButton.tsx';

interface Props {
  step: SecondStepData;
  onLogIn: (user: User) => Promise<unknown>;
  /** Goes back to the password. */
  onRestart: () => void;
}

/** The second step of a login: a code, a recovery code or a passkey; or adding the first of them. */
export const SecondStep = ({ step, onLogIn, onRestart }: Props) =>
  step.methods.length === 0 ? (
    <Enrolment token={step.token} onLogIn={onLogIn} onRestart={onRestart} />
  ) : (
    <KnownFactors step={step} onLogIn={onLogIn} onRestart={onRestart} />
  );

function KnownFactors({ step: { token, methods }, onLogIn, onRestart }: Props) {
  const hasApp = methods.includes('authenticator');
  const form = useSchemaForm({ schema: loginFactorBody, initialValues: { token, code: '' } });
  const takesCode = hasApp || methods.includes('recovery_code');
  return (
    <>
      {methods.includes('passkey') && (
        <PasskeyButton onPress={async () => onLogIn(await logInWithPasskey())}>Use a passkey</PasskeyButton>
      )}
      {takesCode && (
        <Form form={form} onSubmit={form.onSubmit(async ({ code }) => onLogIn(await logInWithFactor(token, code)))}>
          <TextInput
            {...form.field('code')}
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
          <Button type="submit" loading={form.isSubmitting}>
            Log in
          </Button>
        </Form>
      )}
      <Button variant="subtle" onClick={onRestart}>
        Start again
      </Button>
    </>
  );
}
