import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { z } from 'zod';
import { schoolBody } from '#contract/calls/school-details.ts';
import { schoolCalls, type School } from '#contract/calls/school.ts';
import { paths } from '../../paths.ts';
import { can } from '../../shared/can.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { queryKeyOf } from '../../shared/api-query.ts';
import { useSchemaForm } from '../../shared/use-schema-form.ts';
import { useSchoolId, useUser } from '../../shared/session.ts';
import { Form, FormFoot, FormSection } from '../../ui/Form.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { PageSkeleton } from '../../ui/PageSkeleton.tsx';
import {
  ContactFields,
  contactFormWithEmail,
  contactValues,
  saveSchoolDetails,
  SchoolFields,
} from '../school/school-form.public.ts';
import { schoolQuery } from '../school/school.public.ts';
import { AdminsOnly } from './components/AdminsOnly.tsx';
import { LogOutLink } from './components/LogOutLink.tsx';

/** First of the two steps before a school can be used: its details, as they are known. */
export default function ConfirmDetailsPage() {
  const user = useUser();
  const { data, error, refetch } = useQuery(schoolQuery(useSchoolId()));
  const school = data?.enterprise;
  return (
    <div data-wide>
      <PageHeader
        title="Confirm School Details"
        lead="Step 1 of 2. Check what we know of your school, and correct it where it is wrong."
      />
      {error && !school && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!school && !error && <PageSkeleton rows={8} />}
      {school && (can(user, 'edit_school', school) ? <DetailsForm school={school} /> : <AdminsOnly school={school} />)}
    </div>
  );
}

const detailsForm = z.object({ school: schoolBody, contact: contactFormWithEmail });

function DetailsForm({ school }: { school: School }) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const user = useUser();
  const primary = school.contacts.find(({ type }) => type === 'primary');
  const form = useSchemaForm({
    schema: detailsForm,
    initialValues: {
      school: { name: school.name, urn: school.urn ?? '' },
      contact: primary
        ? contactValues(primary)
        : { ...contactValues(), contact_name: user.full_name, email: user.email },
    },
    isLong: true,
  });
  const submit = form.onSubmit(async (details) => {
    await saveSchoolDetails(school.id, details);
    await client.invalidateQueries({ queryKey: queryKeyOf(schoolCalls.getSchool) });
    await navigate(paths.confirmEula());
  });

  return (
    <>
      <Form onSubmit={submit} summary={form.summary} attempt={form.attempt}>
        <FormSection title="School">
          <SchoolFields field={(name) => form.field(`school.${name}`)} />
        </FormSection>
        <FormSection title="Address and contact">
          <ContactFields field={(name) => form.field(`contact.${name}`)} hasEmail />
        </FormSection>
        <Button type="submit" loading={form.isSubmitting}>
          Confirm and go on
        </Button>
      </Form>
      <FormFoot>
        <LogOutLink />
      </FormFoot>
    </>
  );
}
