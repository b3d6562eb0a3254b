import { TextInput } from '../../../../ui/Field.tsx';
import { useState } from 'react';
import { loginBody } from '#contract/calls/access.ts';
import type { LoginStep } from '#contract/login-step.ts';
import { paths } from '../../../../paths.ts';
import { secondStepOf } from '../../../../shared/second-step.ts';
import { useSession } from '../../../../shared/session.ts';
import { useSchemaForm } from '../../../../shared/use-schema-form.ts';
import { Dialog } from '../../../../ui/Dialog.tsx';
import { DialogForm } from '../../../../ui/DialogForm.tsx';
import { PasswordField } from '../../../../ui/PasswordField.tsx';
import { logInWithPasskey, PasskeyButton, SecondStep } from '../../second-factor/second-factor.public.ts';
import { signIn } from '../access.api.ts';
import { explainLogin } from '../model/explain-login.ts';

interface Props {
  /** The user closes it. It is removed as soon as they have logged in. */
  onClose: () => void;
}

/** Asks the user of the page to log in again, because their session has ended. */
export function LogInAgainDialog({ onClose }: Props) {
  const email = useSession()?.user.email;
  const [step, setStep] = useState<LoginStep | null>(null);
  if (email === undefined) return null;
  return (
    <Dialog isOpen onClose={onClose} title={step ? 'One more step' : 'Log in again'}>
      {step ? (
        <SecondStep step={step} onLogIn={async () => undefined} onRestart={() => setStep(null)} />
      ) : (
        <FirstStep email={email} onClose={onClose} onNext={setStep} />
      )}
    </Dialog>
  );
}

interface FirstStepProps extends Props {
  email: string;
  onNext: (step: LoginStep) => void;
}

function FirstStep({ email, onClose, onNext }: FirstStepProps) {
  const form = useSchemaForm({
    schema: loginBody,
    initialValues: { email, password: '' },
    explain: explainLogin,
    idPrefix: 'again-',
  });
  const submit = form.onSubmit(async (body) => {
    try {
      await signIn(body);
    } catch (error) {
      const next = secondStepOf(error);
      if (!next) throw error;
      onNext(next);
    }
  });
  return (
    <>
      <p>Your session has ended. Log in again to continue. Everything on this page is still here.</p>
      <DialogForm form={form} onSubmit={submit} onCancel={onClose} action="Log in">
        <TextInput {...form.field('email')} label="Email" readOnly autoComplete="username" />
        <PasswordField {...form.field('password')} label="Password" autoComplete="current-password" data-autofocus />
      </DialogForm>
      <div className="above-m">
        <PasskeyButton onPress={() => logInWithPasskey()}>Use a passkey</PasskeyButton>
      </div>
      <p className="soft flat above-l">
        To log in another way or as someone else,{' '}
        <a href={paths.login({ action: 'session-ended' })} target="_blank" rel="noopener">
          open the login page in a new tab
        </a>
        .
      </p>
    </>
  );
}
