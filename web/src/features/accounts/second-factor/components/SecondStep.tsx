import { Button } from '../../../../ui/Button.tsx';
import type { User } from '#contract/calls/access.ts';
import { loginFactorBody } from '#contract/calls/second-factor.ts';
import type { LoginStep } from '#contract/login-step.ts';
import { useSchemaForm } from '../../../../shared/use-schema-form.ts';
import { Form } from '../../../../ui/Form.tsx';
import { logInWithFactor, logInWithPasskey } from '../second-factor.api.ts';
import { Enrolment } from './Enrolment.tsx';
import { EitherCodeField } from './FactorCodeField.tsx';
import { PasskeyButton } from './PasskeyButton.tsx';

interface Props {
  step: LoginStep;
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
          <EitherCodeField {...form.field('code')} hasApp={hasApp} data-autofocus autoFocus />
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
