import { paths } from '../../../paths.ts';
import type { GuestScreen } from '../../../shell/guest-screen.ts';
import { Button } from '../../../ui/Button.tsx';
import { ButtonLink } from '../../../ui/ButtonLink.tsx';
import { EmailField } from '../../../ui/EmailField.tsx';
import { FormActions, FormFoot } from '../../../ui/Form.tsx';
import { failureOf, GuestForm, guestForm, type GuestFormState } from '../../../ui/GuestForm.tsx';
import { Link } from '../../../ui/Link.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { askForReset } from './passwords.api.ts';

/** Requests an email with a link to a new password. */
export const forgottenScreen: GuestScreen = {
  access: 'guest',
  load: () => ({ kind: 'page', content: <ForgottenPage form={guestForm()} /> }),
  async post(_visit, sent) {
    const email = sent.get('email') ?? '';
    try {
      await askForReset(email);
      return { kind: 'page', content: <SentPage email={email} /> };
    } catch (error) {
      return { kind: 'page', ...failureOf(error), content: <ForgottenPage form={guestForm(sent, error)} /> };
    }
  },
};

const ForgottenPage = ({ form }: { form: GuestFormState }) => (
  <>
    <PageHeader
      title="Forgotten Password"
      lead="Enter your email address and we’ll send you a link to choose a new password."
    />
    <GuestForm form={form}>
      <EmailField {...form.field('email')} autoComplete="username" />
      <Button type="submit">Send link</Button>
    </GuestForm>
    <FormFoot>
      <Link to={paths.login()}>Back to login</Link>
    </FormFoot>
  </>
);

const SentPage = ({ email }: { email: string }) => (
  <>
    <PageHeader title="Forgotten Password" />
    <Notice isOutcome kind="success">
      An email with your new password has been sent to your address.
    </Notice>
    <p>
      We sent it to {email}. It has a link that works once, within an hour. If it does not arrive within a few minutes,
      check your spam folder or send it again.
    </p>
    <GuestForm form={guestForm()}>
      <input type="hidden" name="email" value={email} />
      <FormActions>
        <ButtonLink to={paths.login()}>Go to login</ButtonLink>
        <Button type="submit" variant="default">
          Send it again
        </Button>
      </FormActions>
    </GuestForm>
  </>
);
