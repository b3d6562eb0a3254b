import { IconSchool } from '@tabler/icons-react';
import { useEffect, useEffectEvent } from 'react';
import { ROLE_TEXTS } from '#contract/permissions.ts';
import { paths } from '../../../paths.ts';
import { ApiError } from '../../../shared/api-error.ts';
import { useLocation, useNavigate } from '../../../shared/router.ts';
import { useUser } from '../../../shared/session.ts';
import { Button } from '../../../ui/Button.tsx';
import { Card } from '../../../ui/Card.tsx';
import { Chip } from '../../../ui/Chip.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { ItemList } from '../../../ui/ItemList.tsx';
import { Link } from '../../../ui/Link.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { useSwitchSchool } from './memberships.api.ts';
import { wantedSchool } from './model/wanted-school.ts';

/** The schools on whose staff the user is, with a button that switches to each. */
export default function OwnSchoolsPage() {
  const user = useUser();
  const change = useSwitchSchool();
  const navigate = useNavigate();
  const wanted = wantedSchool(useLocation().state, user);
  const switchTo = useEffectEvent((schoolId: number) => {
    // A reload must not switch again.
    void navigate(paths.ownSchools(), { replace: true, state: null });
    change.mutate(schoolId);
  });
  useEffect(() => {
    if (wanted !== undefined) switchTo(wanted);
  }, [wanted]);
  const needsFactor = change.error instanceof ApiError && change.error.code === 'second_factor_needed';

  return (
    <>
      <PageHeader
        title="Your schools"
        crumbs={[{ text: 'My details', to: paths.account() }]}
        lead={
          user.memberships.length > 1
            ? 'You work at several schools with this account. You see one of them at a time.'
            : 'You work at one school with this account.'
        }
      />
      {change.error && <ErrorNotice error={change.error} lost={`You are still in ${user.enterprise?.name}.`} />}
      {needsFactor && (
        <p>
          <Link to={paths.security()}>Open Security</Link>
        </p>
      )}
      <Card className="measure">
        <ItemList
          items={user.memberships.map(({ enterprise: { id, name }, role }) => ({
            key: id,
            icon: <IconSchool size={22} aria-hidden />,
            name,
            note: ROLE_TEXTS[role].name,
            action:
              id === user.enterprise_id ? (
                <Chip tone="success">You are here</Chip>
              ) : (
                !user.impersonated_by && (
                  <Button
                    variant="default"
                    aria-label={`Switch to ${name}`}
                    loading={change.isPending && change.variables === id}
                    onClick={() => !change.isPending && change.mutate(id)}
                  >
                    Switch
                  </Button>
                )
              ),
          }))}
        />
      </Card>
    </>
  );
}
