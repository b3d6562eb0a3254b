import { accessCalls } from '#contract/calls/access.ts';
import { paths } from '../../../paths.ts';
import { call } from '../../../shared/api-client.ts';
import type { GuestScreen } from '../../../shell/guest-screen.ts';
import { Button } from '../../../ui/Button.tsx';
import { EmailField } from '../../../ui/EmailField.tsx';
import { TextInput } from '../../../ui/Field.tsx';
import { FieldPair, FormFoot } from '../../../ui/Form.tsx';
import { failureOf, GuestForm, guestForm, type GuestFormState } from '../../../ui/GuestForm.tsx';
import { Link } from '../../../ui/Link.tsx';
import { NewPasswordField } from '../../../ui/NewPasswordField.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { readInvitedEmail } from './model/invited-email.ts';

/** Creates an account. The next step is the invitation that led here, or the school's registration. */
export const registerScreen: GuestScreen = {
  access: 'guest',
  async load(visit) {
    const invitedEmail = await readInvitedEmail(visit);
    const form = guestForm(new URLSearchParams({ email: invitedEmail ?? '' }));
    return { kind: 'page', content: <RegisterPage form={form} invitedEmail={invitedEmail} /> };
  },
  async post(visit, sent) {
    const textOf = (name: string) => sent.get(name) ?? '';
    const body = {
      first_name: textOf('first_name'),
      last_name: textOf('last_name'),
      email: textOf('email'),
      password: textOf('password'),
      user_type: 'enterprise' as const,
    };
    try {
      await call(accessCalls.register, { body });
      const { invite } = visit.kept;
      return { kind: 'redirect', to: invite ? paths.invite(invite) : paths.subscriptionStep('register') };
    } catch (error) {
      const form = guestForm(sent, error);
      const content = <RegisterPage form={form} invitedEmail={await readInvitedEmail(visit)} />;
      return { kind: 'page', ...failureOf(error), content };
    }
  },
};

const RegisterPage = ({ form, invitedEmail }: { form: GuestFormState; invitedEmail: string | undefined }) => (
  <>
    <PageHeader
      title="Register"
      lead={invitedEmail === undefined ? 'Create your own account first, then register your school.' : undefined}
    />
    {invitedEmail !== undefined && (
      <Notice>Your invitation is for {invitedEmail}. Register with this email to accept it.</Notice>
    )}
    <GuestForm form={form} isUnsaved>
      <FieldPair>
        <TextInput {...form.field('first_name')} label="First name" autoComplete="given-name" />
        <TextInput {...form.field('last_name')} label="Last name" autoComplete="family-name" />
      </FieldPair>
      <EmailField {...form.field('email')} autoComplete="email" />
      <NewPasswordField {...form.secret('password')} label="Password" />
      <Button type="submit">Register</Button>
    </GuestForm>
    <FormFoot>
      Already registered? <Link to={paths.login()}>Log in</Link>
    </FormFoot>
  </>
);
