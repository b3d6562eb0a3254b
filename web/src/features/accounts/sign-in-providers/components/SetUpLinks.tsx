import { Button } from '../../../../ui/Button.tsx';
import { useQuery } from '@tanstack/react-query';
import { IconLogin2 } from '@tabler/icons-react';
import { useState } from 'react';
import { SIGN_IN_PROVIDERS } from '../../../../shared/product.ts';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { linkedAccountsQuery } from '../../second-factor/linked-accounts.public.ts';
import { setUpAtProvider } from '../sign-in-providers.api.ts';

/** Buttons that link an account of the school instead of a first password. */
export function SetUpLinks() {
  const { data } = useQuery({ ...linkedAccountsQuery(), enabled: SIGN_IN_PROVIDERS.length > 0 });
  const [failure, setFailure] = useState<unknown>(null);
  if (!data || data.providers.length === 0) return null;
  return (
    <section className="stack-m above-2xl" aria-labelledby="set-up-links">
      <h2 id="set-up-links" className="large flat">
        Or without a password
      </h2>
      <p className="soft flat">Sign in with the account that your school gave you.</p>
      {failure !== null && <ErrorNotice error={failure} />}
      {data.providers.map(({ id, name }) => (
        <Button
          key={id}
          variant="default"
          fullWidth
          leftSection={<IconLogin2 size={18} aria-hidden />}
          onClick={() => void setUpAtProvider(id).catch(setFailure)}
        >
          Sign in with {name}
        </Button>
      ))}
    </section>
  );
}
