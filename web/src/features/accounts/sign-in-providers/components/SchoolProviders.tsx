import { IconLogin2 } from '@tabler/icons-react';
import { useState } from 'react';
import { SIGN_IN_PROVIDERS } from '../../../../shared/product.ts';
import { useUser } from '../../../../shared/session.ts';
import { usePrefetchedQuery } from '../../../../shared/use-prefetched-query.ts';
import { Button } from '../../../../ui/Button.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { Notice } from '../../../../ui/Notice.tsx';
import { linkedAccountsQuery } from '../../second-factor/linked-accounts.public.ts';
import { goToProvider } from '../sign-in-providers.api.ts';
import { SignInLinks } from './SignInLinks.tsx';

/**
 * The ways into a school that signs in through its providers only: the accounts that the user has linked, or else those
 * that they can link.
 */
export const SchoolProviders = (props: Props) => (SIGN_IN_PROVIDERS.length > 0 ? <Providers {...props} /> : <NoWay />);

interface Props {
  /** The screen to open afterwards. */
  redirect: string | undefined;
}

const NoWay = () => (
  <Notice kind="warning">
    You cannot sign in there at the moment. Ask an administrator of your school to let staff use their passwords again.
  </Notice>
);

function Providers({ redirect }: Props) {
  const { email } = useUser();
  const found = usePrefetchedQuery(linkedAccountsQuery());
  const [failure, setFailure] = useState<unknown>(null);
  if (!found.data) return found.error && <ErrorNotice error={found.error} onRetry={() => void found.refetch()} />;
  const { accounts, providers } = found.data;
  const linked = accounts.filter((account) => account.is_allowed).map(({ provider }) => provider);
  if (linked.length > 0)
    return (
      <div className="stack-m">
        <SignInLinks ids={linked} {...(redirect !== undefined && { query: { redirect } })} />
      </div>
    );
  if (providers.length === 0) return <NoWay />;
  return (
    <div className="stack-m">
      <p className="flat">
        The first time, we link it to your account here, {email}. From then on you need only that one.
      </p>
      {failure !== null && <ErrorNotice error={failure} />}
      {providers.map(({ id, name }) => (
        <Button
          key={id}
          fullWidth
          leftSection={<IconLogin2 size={18} aria-hidden />}
          onClick={() => void goToProvider(id, redirect).catch(setFailure)}
        >
          Sign in with {name}
        </Button>
      ))}
    </div>
  );
}
