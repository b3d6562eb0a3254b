import { Button } from '../../../ui/Button.tsx';
import { TextInput } from '../../../ui/Field.tsx';
import { Link } from '../../../ui/Link.tsx';
import { useNavigate } from '../../../shared/router.ts';
import type { User } from '#contract/calls/access.ts';
import { paths } from '../../../paths.ts';
import { ApiError } from '../../../shared/api-error.ts';
import { useIdempotencyKey } from '../../../shared/idempotency-key.ts';
import { useSchemaForm } from '../../../shared/use-schema-form.ts';
import { useSession } from '../../../shared/session.ts';
import { EmailField } from '../../../ui/EmailField.tsx';
import { FieldPair, Form, FormFoot, FormSection } from '../../../ui/Form.tsx';
import { NewPasswordField } from '../../../ui/NewPasswordField.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { ContactFields, SchoolFields } from '../../school/school/school-form.public.ts';
import { useReloadMe } from './access.api.ts';
import { registerOwnSchool, registerNewSchool } from './accounts.api.ts';
import {
  registrationForm,
  registrationValues,
  ownSchoolForm,
  ownSchoolValues,
  TERMS,
} from './model/registration-form.ts';
import { TermsBoxes } from './components/TermsBoxes.tsx';

/** Registers a school with its first admin, or for a user who has an account without a school. */
export default function RegisterSchoolPage() {
  const session = useSession();
  return (
    <div data-wide>
      <PageHeader
        title="Register your school"
        lead="Enter your school’s details and your own. You can add your colleagues afterwards."
      />
      {session ? <ForOwner user={session.user} /> : <ForNewcomer />}
    </div>
  );
}

const UNSAVED = 'Your school has not been registered yet.';

function ForNewcomer() {
  const navigate = useNavigate();
  const { keyFor } = useIdempotencyKey();
  const form = useSchemaForm({ schema: registrationForm, initialValues: registrationValues, unsavedText: UNSAVED });
  const { user, school } = form.form.values;
  const submit = form.onSubmit(async (body) => {
    await registerNewSchool(body, keyFor(body));
    await navigate(paths.selectSubscription(), { replace: true });
  });
  return (
    <Form form={form} onSubmit={submit}>
      <SchoolAndContact form={form} />
      <FormSection title="Your login" note="You will be the school’s administrator.">
        <FieldPair>
          <TextInput {...form.field('user.first_name')} label="First name" autoComplete="given-name" />
          <TextInput {...form.field('user.last_name')} label="Last name" autoComplete="family-name" />
        </FieldPair>
        <EmailField {...form.field('user.email')} autoComplete="email" />
        <NewPasswordField
          {...form.field('user.password')}
          names={[user.first_name, user.last_name, school.name]}
          label="Password"
        />
      </FormSection>
      <AgreeAndSend form={form} />
      <FormFoot>
        Already registered? <Link to={paths.login()}>Log in</Link>
      </FormFoot>
    </Form>
  );
}

function ForOwner({ user }: { user: User }) {
  const navigate = useNavigate();
  const reloadMe = useReloadMe();
  const { keyFor } = useIdempotencyKey();
  const form = useSchemaForm({
    schema: ownSchoolForm,
    initialValues: ownSchoolValues(user.full_name),
    unsavedText: UNSAVED,
  });
  const submit = form.onSubmit(async ({ school, contact }) => {
    try {
      await registerOwnSchool({ school, contact: { ...contact, email: user.email } }, keyFor(school));
    } catch (error) {
      // The school was created in another tab, or before its address could be saved. The next step asks for what is
      // missing.
      if (!(error instanceof ApiError) || error.code !== 'already_in_school') throw error;
    }
    await reloadMe();
    await navigate(paths.selectSubscription(), { replace: true });
  });
  return (
    <Form form={form} onSubmit={submit}>
      <SchoolAndContact form={form} />
      <AgreeAndSend form={form} />
    </Form>
  );
}

type FormParts = Pick<ReturnType<typeof useSchemaForm>, 'field' | 'isSubmitting'>;

const SchoolAndContact = ({ form }: { form: FormParts }) => (
  <>
    <FormSection title="School">
      <SchoolFields field={(name) => form.field(`school.${name}`)} />
    </FormSection>
    <FormSection title="Address and contact">
      <ContactFields field={(name) => form.field(`contact.${name}`)} />
    </FormSection>
  </>
);

const AgreeAndSend = ({ form }: { form: FormParts }) => (
  <FormSection title="Terms">
    <TermsBoxes
      field={(name, options) => form.field(`user.${name}`, options)}
      labels={TERMS}
      notes={{
        accept_eula: 'The licence agreement, for the whole school',
        accepts_ts_and_cs: 'The terms and conditions and the privacy policy',
      }}
    />
    <Button type="submit" loading={form.isSubmitting}>
      Register school
    </Button>
  </FormSection>
);
