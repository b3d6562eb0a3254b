import { Button } from '../../../../ui/Button.tsx';
import { Checkbox } from '../../../../ui/Checkbox.tsx';
import { useState } from 'react';
import { Link } from '../../../../ui/Link.tsx';
import type { SignInConnection } from '#contract/calls/sign-in-providers.ts';
import { paths } from '../../../../paths.ts';
import { formatDate } from '../../../../shared/format.ts';
import { SIGN_IN_PROVIDERS } from '../../../../shared/product.ts';
import { useSchoolId, useUser } from '../../../../shared/session.ts';
import { usePrefetchedQuery } from '../../../../shared/use-prefetched-query.ts';
import { Card } from '../../../../ui/Card.tsx';
import { Confirm } from '../../../../ui/Confirm.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { showToast } from '../../../../ui/toasts.ts';
import { connectionsQuery, useRemoveConnection, useSaveConnection } from '../sign-in-providers.api.ts';
import { ProviderOnly } from './ProviderOnly.tsx';
import css from './SignInConnections.module.css';

/** The providers through which the school's staff sign in, for admins. Absent where the portal has no providers. */
export const SignInConnections = (props: { canChange: boolean }) =>
  SIGN_IN_PROVIDERS.length > 0 ? <ConnectionsCard {...props} /> : null;

function ConnectionsCard({ canChange }: { canChange: boolean }) {
  const schoolId = useSchoolId();
  const isOwner = !useUser().impersonated_by && canChange;
  const found = usePrefetchedQuery(connectionsQuery(schoolId));
  const save = useSaveConnection(schoolId);
  const remove = useRemoveConnection(schoolId);
  const [removed, setRemoved] = useState<SignInConnection>();
  const [failure, setFailure] = useState<unknown>(null);
  const connections = found.data?.connections ?? [];
  const isLastOfOnly =
    found.data?.provider_only === true && connections.filter(({ connection }) => connection).length === 1;

  const change = async (provider: string, countsSecondFactor: boolean) => {
    setFailure(null);
    try {
      await save.mutateAsync({ provider, countsSecondFactor });
      showToast('Sign-in saved');
    } catch (error) {
      setFailure(error);
    }
  };
  return (
    <Card className={css.card} aria-labelledby="sign-in-connections">
      <h2 id="sign-in-connections">How staff sign in</h2>
      <p>
        Staff can sign in with the accounts that your school gave them. Each person links their own account first, or
        accepts their invitation with it.
      </p>
      {failure !== null && <ErrorNotice error={failure} />}
      {found.error && !found.data && <ErrorNotice error={found.error} onRetry={() => void found.refetch()} />}
      <ul className={css.list}>
        {connections.map((provider) => (
          <li key={provider.provider}>
            <div className={css.provider}>
              <h3>{provider.name}</h3>
              <p className="soft flat below-s">{describe(provider)}</p>
              {provider.connection && (
                <Checkbox
                  checked={provider.connection.counts_second_factor}
                  disabled={!isOwner || save.isPending}
                  onChange={({ currentTarget }) => void change(provider.provider, currentTarget.checked)}
                  label={`Our ${provider.name} accounts always ask for a second factor`}
                  description="Staff then need no second factor here as well. Tick this only if your school requires one for every sign-in there."
                />
              )}
            </div>
            {isOwner && !provider.connection && provider.own_account && (
              <Button
                variant="default"
                loading={save.isPending}
                aria-label={`Allow ${provider.name} for our staff`}
                onClick={() => void change(provider.provider, false)}
              >
                Allow for our staff
              </Button>
            )}
            {!provider.connection && !provider.own_account && (
              <Link to={paths.security()}>Link your own account first</Link>
            )}
            {isOwner && provider.connection && (
              <Button variant="default" aria-label={`Remove ${provider.name}`} onClick={() => setRemoved(provider)}>
                Remove
              </Button>
            )}
          </li>
        ))}
      </ul>
      {found.data?.connections.some(({ connection }) => connection) && (
        <ProviderOnly signIn={found.data} canChange={isOwner} />
      )}
      <Confirm
        isOpen={removed !== undefined}
        onClose={() => setRemoved(undefined)}
        title={`No longer sign in with ${removed?.name ?? ''}?`}
        action="Remove"
        isDangerous
        onConfirm={async () => {
          if (!removed) return;
          await remove.mutateAsync(removed.provider);
          showToast(`${removed.name} removed`);
        }}
      >
        Your staff can no longer sign in with it. Anyone who is signed in with it now is logged out, including you.
        People without a password choose one with “Forgotten Password” on the login screen.
        {isLastOfOnly && ' As it is your only provider, passwords and passkeys work again.'}
      </Confirm>
    </Card>
  );
}

/** The tenant or domain whose accounts may sign in. */
function describe({ provider, connection, own_account: own }: SignInConnection): string {
  const organisation = (tenant: string | null): string => {
    if (tenant === null) return 'all its accounts';
    return provider === 'microsoft' ? `accounts of the Microsoft tenant ${tenant}` : `accounts of ${tenant}`;
  };
  if (connection)
    return `Allowed since ${formatDate(connection.created_at)}: ${organisation(connection.tenant)}, once linked.`;
  return own ? `Off. Yours would allow ${organisation(own.tenant)}.` : 'Off.';
}
