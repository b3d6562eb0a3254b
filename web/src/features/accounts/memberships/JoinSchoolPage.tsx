import { withArticle } from '#contract/permissions.ts';
import { useNavigate, useParams } from '../../../shared/router.ts';
import { paths } from '../../../paths.ts';
import { useUser } from '../../../shared/session.ts';
import { usePrefetchedQuery } from '../../../shared/use-prefetched-query.ts';
import { Button } from '../../../ui/Button.tsx';
import { ButtonLink } from '../../../ui/ButtonLink.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { FormActions } from '../../../ui/Form.tsx';
import { LoadFailure } from '../../../ui/LoadFailure.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { inviteQuery, useJoinSchool } from './memberships.api.ts';

/** Confirms who the user is before they join another school. The page of the invitation leads here. */
export default function JoinSchoolPage() {
  const { inviteId = '' } = useParams();
  const user = useUser();
  const join = useJoinSchool();
  const navigate = useNavigate();
  const { data, error } = usePrefetchedQuery(inviteQuery(inviteId));
  if (!data) return <LoadFailure title="Invitation" error={error} />;
  const { role, enterprise: school } = data.invite;
  const accept = async () => {
    const switchTo = await join.mutateAsync(inviteId).catch(() => undefined);
    if (switchTo !== undefined) void navigate(paths.ownSchools(), { replace: true, state: { switchTo } });
  };
  return (
    <>
      <PageHeader
        title={`Join ${school.name}`}
        lead={role !== 'teacher' && `${school.name} invites you to join as ${withArticle(role)}.`}
      />
      <p>
        You already work at {user.enterprise?.name} with this account, so we check that it is you before you join
        another school.
      </p>
      {join.error && <ErrorNotice error={join.error} />}
      <FormActions>
        <Button loading={join.isPending} onClick={() => void accept()}>
          Confirm and join
        </Button>
        <ButtonLink to={paths.dashboard()} variant="default">
          Not now
        </ButtonLink>
      </FormActions>
    </>
  );
}
