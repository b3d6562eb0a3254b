import { Button } from '../../../../ui/Button.tsx';
import { type ReactNode, useState } from 'react';
import { loginBody, type User } from '#contract/calls/access.ts';
import type { LoginStep } from '#contract/login-step.ts';
import { ApiError } from '../../../../shared/api-error.ts';
import { useSchemaForm } from '../../../../shared/use-schema-form.ts';
import { useSession } from '../../../../shared/session.ts';
import { EmailField } from '../../../../ui/EmailField.tsx';
import { Form } from '../../../../ui/Form.tsx';
import { PageHeader } from '../../../../ui/PageHeader.tsx';
import { PasswordField } from '../../../../ui/PasswordField.tsx';
import { logOut } from '../../../../shared/log-out.ts';
import { ConsoleNavigation } from './ConsoleNavigation.tsx';
import { signInAsOperator } from '../../../accounts/access/access.public.ts';
import { secondStepOf } from '../../../../shared/second-step.ts';
import { SecondStep } from '../../../accounts/second-factor/second-factor.public.ts';

const notAnOperator = () =>
  new ApiError(401, { error: 'This account does not belong to an operator.', error_type: 'authentication' });

/** Shows the console to operators, and its login to everyone else. */
export function OperatorLayout({ children }: { children: ReactNode }) {
  if (!useSession()?.user.is_operator) return <OperatorLogin />;
  return (
    <div data-wide>
      <ConsoleNavigation />
      {children}
    </div>
  );
}

function OperatorLogin() {
  const form = useSchemaForm({ schema: loginBody, initialValues: { email: '', password: '' } });
  const [step, setStep] = useState<LoginStep | null>(null);
  const submit = form.onSubmit(async (body) => {
    try {
      if (!(await signInAsOperator(body))) throw notAnOperator();
    } catch (error) {
      const next = secondStepOf(error);
      if (!next) throw error;
      setStep(next);
    }
  });
  const admit = async (user: User) => {
    if (user.is_operator) return;
    await logOut();
    throw notAnOperator();
  };

  if (step)
    return (
      <>
        <PageHeader title="One more step" />
        <SecondStep step={step} onLogIn={admit} onRestart={() => setStep(null)} />
      </>
    );
  return (
    <>
      <PageHeader
        title="Operator login"
        lead="For the people who run the product. Everything you do here is recorded."
      />
      <Form form={form} onSubmit={submit}>
        <EmailField {...form.field('email')} autoComplete="username" />
        <PasswordField {...form.field('password')} label="Password" autoComplete="current-password" />
        <Button type="submit" loading={form.isSubmitting}>
          Log in
        </Button>
      </Form>
    </>
  );
}
