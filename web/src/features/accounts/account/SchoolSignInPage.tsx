import { readOwnPath } from '#contract/own-path.ts';
import { useSearchParams } from '../../../shared/router.ts';
import { useUser } from '../../../shared/session.ts';
import { Button } from '../../../ui/Button.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { FormFoot } from '../../../ui/Form.tsx';
import { LogOutLink } from '../../../ui/LogOutForm.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { SchoolProviders, SignInNotice } from '../sign-in-providers/sign-in-providers.public.ts';
import { useSwitchSchool } from '../memberships/memberships.public.ts';

/** For a user who has logged in to a school that signs in through its providers only. */
export default function SchoolSignInPage() {
  const user = useUser();
  const [query] = useSearchParams();
  return (
    <>
      <PageHeader
        title="Sign in for your school"
        lead={`${user.enterprise?.name ?? 'Your school'} does not use passwords here. Sign in with the account that the school gave you.`}
      />
      <SignInNotice outcome={query.get('sign-in')} />
      <SchoolProviders redirect={readOwnPath(query.get('redirect') ?? '')} />
      <OtherSchools />
      <FormFoot>
        <LogOutLink />
      </FormFoot>
    </>
  );
}

/** The way to the user's other schools. */
function OtherSchools() {
  const { enterprise_id: schoolId, memberships } = useUser();
  const change = useSwitchSchool();
  const others = memberships.filter((membership) => membership.enterprise.id !== schoolId);
  if (others.length === 0) return null;
  return (
    <section className="stack-m above-2xl" aria-labelledby="other-schools">
      <h2 id="other-schools" className="large flat">
        Or go to another of your schools
      </h2>
      {change.error && <ErrorNotice error={change.error} />}
      {others.map(({ enterprise: { id, name } }) => (
        <Button
          key={id}
          variant="default"
          fullWidth
          loading={change.isPending && change.variables === id}
          onClick={() => !change.isPending && change.mutate(id)}
        >
          Switch to {name}
        </Button>
      ))}
    </section>
  );
}
