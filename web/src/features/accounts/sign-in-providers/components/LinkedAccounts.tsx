import { Button } from '../../../../ui/Button.tsx';
import { IconLogin2 } from '@tabler/icons-react';
import { useState } from 'react';
import { useSearchParams } from '../../../../shared/router.ts';
import type { LinkedAccount } from '#contract/calls/sign-in-providers.ts';
import { formatDate } from '../../../../shared/format.ts';
import { SIGN_IN_PROVIDERS } from '../../../../shared/product.ts';
import { usePrefetchedQuery } from '../../../../shared/use-prefetched-query.ts';
import { Card } from '../../../../ui/Card.tsx';
import { Confirm } from '../../../../ui/Confirm.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { ItemList } from '../../../../ui/ItemList.tsx';
import { SectionHead } from '../../../../ui/SectionHead.tsx';
import { showToast } from '../../../../ui/toasts.ts';
import { linkedAccountsQuery } from '../../second-factor/linked-accounts.public.ts';
import { goToProvider, useUnlinkAccount } from '../sign-in-providers.api.ts';
import { SignInNotice } from './SignInNotice.tsx';

/** The user's own accounts at sign-in providers. Absent where the portal has no providers. */
export const LinkedAccounts = () => (SIGN_IN_PROVIDERS.length > 0 ? <AccountsCard /> : null);

function AccountsCard() {
  const [query] = useSearchParams();
  const found = usePrefetchedQuery(linkedAccountsQuery());
  const unlink = useUnlinkAccount();
  const [unlinked, setUnlinked] = useState<LinkedAccount>();
  const [failure, setFailure] = useState<unknown>(null);
  const { accounts = [], providers = [], has_password: hasPassword } = found.data ?? {};

  const link = async (provider: string) => {
    setFailure(null);
    try {
      await goToProvider(provider);
    } catch (error) {
      setFailure(error);
    }
  };
  return (
    <Card className="measure below-xl" aria-labelledby="linked-accounts">
      <SectionHead
        id="linked-accounts"
        title="Sign in with another account"
        note="Link the account that your school gave you, and sign in with it. We receive no password from it, and never recognise you by an email address."
        actions={providers.map(({ id, name }) => (
          <Button key={id} variant="default" onClick={() => void link(id)}>
            Link {name}
          </Button>
        ))}
      />
      <SignInNotice outcome={query.get('sign-in')} />
      {failure !== null && <ErrorNotice error={failure} />}
      {found.error && !found.data && <ErrorNotice error={found.error} onRetry={() => void found.refetch()} />}
      {found.data && accounts.length === 0 && (
        <p className="soft flat">
          {providers.length > 0
            ? 'You have linked no account yet.'
            : 'Your school does not use this yet. An administrator of your school can allow it.'}
        </p>
      )}
      {accounts.length > 0 && (
        <ItemList
          items={accounts.map((account) => {
            const { id, name, created_at, last_used_at } = account;
            const use = last_used_at ? `Last used on ${formatDate(last_used_at)}.` : 'Not used yet.';
            return {
              key: id,
              icon: <IconLogin2 size={24} aria-hidden />,
              name,
              note: `Linked on ${formatDate(created_at)}. ${use}`,
              action: (
                <Button variant="default" aria-label={`Unlink ${name}`} onClick={() => setUnlinked(account)}>
                  Unlink
                </Button>
              ),
            };
          })}
        />
      )}
      {found.data && hasPassword === false && (
        <p className="soft flat">
          Your account has no password. To choose one, log out and use “Forgotten Password” on the login screen.
        </p>
      )}
      <Confirm
        isOpen={unlinked !== undefined}
        onClose={() => setUnlinked(undefined)}
        title={`Unlink your ${unlinked?.name ?? ''} account?`}
        action="Unlink"
        isDangerous
        onConfirm={async () => {
          if (!unlinked) return;
          await unlink.mutateAsync(unlinked.id);
          showToast(`${unlinked.name} unlinked`);
        }}
      >
        You can no longer sign in with it, and other devices on which you signed in with it are logged out. Your other
        ways to log in keep working.
      </Confirm>
    </Card>
  );
}
