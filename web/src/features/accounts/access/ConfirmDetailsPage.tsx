import { Button } from '../../../ui/Button.tsx';
import { useNavigate } from '../../../shared/router.ts';
import { schoolDetailsBody } from '#contract/calls/school-details.ts';
import type { School } from '#contract/calls/school.ts';
import { paths } from '../../../paths.ts';
import { can } from '../../../shared/can.ts';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { useSchemaForm } from '../../../shared/use-schema-form.ts';
import { useSchoolId, useUser } from '../../../shared/session.ts';
import { usePrefetchedQuery } from '../../../shared/use-prefetched-query.ts';
import { Form, FormFoot, FormSection } from '../../../ui/Form.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import {
  ContactFields,
  contactValues,
  SchoolFields,
  schoolValues,
  useSaveDetails,
} from '../../school/school/school-form.public.ts';
import { schoolQuery } from '../../school/school/school.public.ts';
import { AdminsOnly } from './components/AdminsOnly.tsx';
import { LogOutLink } from '../../../ui/LogOutForm.tsx';

/** The first of two steps before a school can be used: its details. */
export default function ConfirmDetailsPage() {
  const user = useUser();
  const { data, error, refetch } = usePrefetchedQuery(schoolQuery(useSchoolId()));
  const school = data?.enterprise;
  return (
    <div data-wide>
      <PageHeader
        title="Confirm School Details"
        lead="Step 1 of 2. Check your school’s details and correct anything that is wrong."
      />
      {!school && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {school && (can(user, 'edit_school', school) ? <DetailsForm school={school} /> : <AdminsOnly school={school} />)}
    </div>
  );
}

function DetailsForm({ school }: { school: School }) {
  const navigate = useNavigate();
  const save = useSaveDetails(school.id);
  const user = useUser();
  const primary = school.contacts.find(({ type }) => type === 'primary');
  const form = useSchemaForm({
    schema: schoolDetailsBody,
    initialValues: {
      school: schoolValues(school),
      primary: {
        type: 'primary' as const,
        ...(primary ? contactValues(primary) : { ...contactValues(), contact_name: user.full_name, email: user.email }),
      },
      billing: null,
    },
    unsavedText: 'The details have not been confirmed yet.',
  });
  const submit = form.onSubmit(async (details) => {
    await save.mutateAsync(details);
    await navigate(paths.confirmEula());
  });

  return (
    <>
      <Form form={form} onSubmit={submit}>
        <FormSection title="School">
          <SchoolFields field={(name) => form.field(`school.${name}`)} />
        </FormSection>
        <FormSection title="Address and contact">
          <ContactFields field={(name) => form.field(`primary.${name}`)} hasEmail />
        </FormSection>
        <Button type="submit" loading={form.isSubmitting}>
          Confirm and continue
        </Button>
      </Form>
      <FormFoot>
        <LogOutLink />
      </FormFoot>
    </>
  );
}
