import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { loginBody } from '#contract/calls/access.ts';
import { ApiError } from '../../../shared/api-error.ts';
import { useSchemaForm } from '../../../shared/use-schema-form.ts';
import { useSession } from '../../../shared/session.ts';
import { EmailField } from '../../../ui/EmailField.tsx';
import { Form } from '../../../ui/Form.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { PasswordField } from '../../../ui/PasswordField.tsx';
import { signInAsOperator } from '../../access/access.public.ts';

const NOT_AN_OPERATOR = 'This account does not belong to an operator.';

/** Shows the console to operators, and its login to everyone else. */
export function OperatorLayout({ children }: { children: ReactNode }) {
  return useSession()?.user.is_operator ? children : <OperatorLogin />;
}

function OperatorLogin() {
  const form = useSchemaForm({ schema: loginBody, initialValues: { email: '', password: '' } });
  const submit = form.onSubmit(async (body) => {
    const operator = await signInAsOperator(body);
    if (!operator) throw new ApiError(401, { error: NOT_AN_OPERATOR, error_type: 'authentication' });
  });
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
