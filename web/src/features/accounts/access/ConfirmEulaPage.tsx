import { Button } from '../../../ui/Button.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '../../../ui/Link.tsx';
import { useNavigate } from '../../../shared/router.ts';
import { schoolDetailsCalls } from '#contract/calls/school-details.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { paths } from '../../../paths.ts';
import { call } from '../../../shared/api-client.ts';
import { can } from '../../../shared/can.ts';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { queryKeyOf } from '../../../shared/api-query.ts';
import { useSchemaForm } from '../../../shared/use-schema-form.ts';
import { useSchoolId, useUser } from '../../../shared/session.ts';
import { usePrefetchedQuery } from '../../../shared/use-prefetched-query.ts';
import { Form, FormFoot } from '../../../ui/Form.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { schoolQuery } from '../../school/school/school.public.ts';
import { useReloadMe } from './access.api.ts';
import { AdminsOnly } from './components/AdminsOnly.tsx';
import { noTerms, termsForm } from './model/registration-form.ts';
import { TermsBoxes } from './components/TermsBoxes.tsx';

/** The last step before a school can be used: its terms. */
export default function ConfirmEulaPage() {
  const user = useUser();
  const { data, error, refetch } = usePrefetchedQuery(schoolQuery(useSchoolId()));
  const school = data?.enterprise;
  return (
    <>
      <PageHeader title="Accept the terms" lead="Step 2 of 2. You accept both once, for the whole school." />
      {!school && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {school && (can(user, 'edit_school', school) ? <TermsForm /> : <AdminsOnly school={school} />)}
    </>
  );
}

function TermsForm() {
  const navigate = useNavigate();
  const client = useQueryClient();
  const reloadMe = useReloadMe();
  const schoolId = useSchoolId();
  const form = useSchemaForm({ schema: termsForm, initialValues: noTerms });
  const submit = form.onSubmit(async () => {
    await call(schoolDetailsCalls.acceptTerms, { params: { id: schoolId } });
    await client.invalidateQueries({ queryKey: queryKeyOf(schoolCalls.getSchool) });
    await reloadMe();
    await navigate(paths.dashboard(), { replace: true });
  });

  return (
    <>
      <Form form={form} onSubmit={submit}>
        <TermsBoxes
          field={form.field}
          labels={{
            accept_eula: 'I accept the licence agreement (EULA)',
            accepts_ts_and_cs: 'I accept the terms and conditions and the privacy policy',
          }}
        />
        <Button type="submit" loading={form.isSubmitting}>
          Submit
        </Button>
      </Form>
      <FormFoot>
        <Link to={paths.confirmDetails()}>Back to the school’s details</Link>
      </FormFoot>
    </>
  );
}
