import { paths } from '../../../paths.ts';
import { ApiError } from '../../../shared/api-error.ts';
import type { GuestScreen, GuestVisit } from '../../../shell/guest-screen.ts';
import { Button } from '../../../ui/Button.tsx';
import { ButtonLink } from '../../../ui/ButtonLink.tsx';
import { failureOf, GuestForm, guestForm, type GuestFormState } from '../../../ui/GuestForm.tsx';
import { Link } from '../../../ui/Link.tsx';
import { LoadFailure } from '../../../ui/LoadFailure.tsx';
import { NewPasswordField } from '../../../ui/NewPasswordField.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { PasswordField } from '../../../ui/PasswordField.tsx';
import { VisuallyHidden } from '../../../ui/VisuallyHidden.tsx';
import { isEndedLink, isResetLinkValid, setPassword } from './passwords.api.ts';

const TITLE = 'Choose a new password';

const tokenOf = ({ query }: GuestVisit): string => query.get('token') ?? '';

const different = () =>
  new ApiError(422, {
    error_type: 'validation',
    errors: { confirmation: ['The two passwords are not the same.'] },
  });

/** Opened by the link in an email: a form for a new password, if the link is valid. */
export const resetPasswordScreen: GuestScreen = {
  access: 'reset',
  async load(visit) {
    try {
      const hasEnded = !(await isResetLinkValid(tokenOf(visit)));
      return { kind: 'page', content: <ResetPasswordPage form={guestForm()} hasEnded={hasEnded} /> };
    } catch (error) {
      return { kind: 'page', ...failureOf(error), content: <LoadFailure title={TITLE} error={error} /> };
    }
  },
  async post(visit, sent) {
    const password = sent.get('password') ?? '';
    try {
      if (sent.get('confirmation') !== password) throw different();
      await setPassword(tokenOf(visit), password);
      return { kind: 'page', content: <DonePage /> };
    } catch (error) {
      const hasEnded = isEndedLink(error);
      const form = hasEnded ? guestForm() : guestForm(sent, error);
      return { kind: 'page', ...failureOf(error), content: <ResetPasswordPage form={form} hasEnded={hasEnded} /> };
    }
  },
};

const DonePage = () => (
  <>
    <PageHeader title={TITLE} />
    <Notice isOutcome kind="success">
      Your password has been changed. You can log in with it now.
    </Notice>
    <ButtonLink to={paths.login()}>Go to login</ButtonLink>
  </>
);

const ResetPasswordPage = ({ form, hasEnded }: { form: GuestFormState; hasEnded: boolean }) => (
  <>
    <PageHeader title={TITLE} />
    {hasEnded && (
      <Notice kind="error">
        Sorry, the token has expired. <Link to={paths.forgottenAgain()}>Click here to try again.</Link>
      </Notice>
    )}
    <GuestForm form={form}>
      <fieldset className="stack-l" disabled={hasEnded}>
        <legend>
          <VisuallyHidden>New password</VisuallyHidden>
        </legend>
        <NewPasswordField {...form.secret('password')} label="New password" />
        <PasswordField {...form.secret('confirmation')} label="New password again" autoComplete="new-password" />
        <Button type="submit">Change password</Button>
      </fieldset>
    </GuestForm>
  </>
);
