import { signInProviderCalls } from '#contract/calls/sign-in-providers.ts';
import { call } from '../../../shared/api-client.ts';
import { apiQuery } from '../../../shared/api-query.ts';
import type { FirstQueries } from '../../../shared/first-queries.ts';
import { SIGN_IN_PROVIDERS } from '../../../shared/product.ts';
import { useInvalidatingMutation } from '../../../shared/use-invalidating-mutation.ts';
import { linkedAccountsQuery } from '../second-factor/linked-accounts.public.ts';

/** Absent where the portal has no providers. */
export const linkedAccountQueries: FirstQueries = () => (SIGN_IN_PROVIDERS.length > 0 ? [linkedAccountsQuery()] : []);

/** For admins. */
export const connectionsQuery = (id: number) => apiQuery(signInProviderCalls.listSignInConnections, { params: { id } });

/**
 * Leaves the portal for the provider's page, which leads back.
 * @param redirect the page to open then, if the sign-in also opens the user's school
 */
export async function goToProvider(provider: string, redirect?: string): Promise<void> {
  const { url } = await call(signInProviderCalls.linkAccount, { body: { provider } });
  window.location.assign(redirect === undefined ? url : `${url}&${new URLSearchParams({ redirect }).toString()}`);
}

/** The same for a user who links an account instead of choosing a first password. */
export async function setUpAtProvider(provider: string): Promise<void> {
  const { url } = await call(signInProviderCalls.setUpWithProvider, { body: { provider } });
  window.location.assign(url);
}

export const useUnlinkAccount = () =>
  useInvalidatingMutation(
    (linkedAccountId: number) => call(signInProviderCalls.unlinkAccount, { params: { linkedAccountId } }),
    { awaits: [signInProviderCalls.listLinkedAccounts], renews: [signInProviderCalls.listSignInConnections] },
  );

const CONNECTIONS = {
  awaits: [signInProviderCalls.listSignInConnections],
  renews: [signInProviderCalls.listLinkedAccounts],
};

export const useSaveConnection = (id: number) =>
  useInvalidatingMutation(
    ({ provider, countsSecondFactor }: { provider: string; countsSecondFactor: boolean }) =>
      call(signInProviderCalls.saveSignInConnection, {
        params: { id, provider },
        body: { counts_second_factor: countsSecondFactor },
      }),
    CONNECTIONS,
  );

export const useSetProviderOnly = (id: number) =>
  useInvalidatingMutation(
    (isOn: boolean) => call(signInProviderCalls.setProviderOnly, { params: { id }, body: { provider_only: isOn } }),
    CONNECTIONS,
  );

export const useRemoveConnection = (id: number) =>
  useInvalidatingMutation(
    (provider: string) => call(signInProviderCalls.removeSignInConnection, { params: { id, provider } }),
    CONNECTIONS,
  );
