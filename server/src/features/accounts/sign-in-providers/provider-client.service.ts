import * as oidc from 'openid-client';
import type { Clock } from '../../../clock.ts';
import type { Config } from '../../../config.ts';
import { outbound, UnreachableError } from '../../../http/outbound-fetch.ts';
import type { SignInProvider } from '../../../sign-in-settings.ts';

/** How long a request to a provider may take. */
const TIMEOUT_S = 5;
/** By how much the clocks of the provider and of this server may differ. */
const CLOCK_TOLERANCE_S = 30;
/** After this time a provider's description and keys are read again. */
const DESCRIPTION_TTL_MS = 10 * 60_000;

/** What a sign-in must bring back unchanged. Secret until it ends. */
export interface SignInSecrets {
  state: string;
  nonce: string;
  verifier: string;
}

export const makeSecrets = (): SignInSecrets => ({
  state: oidc.randomState(),
  nonce: oidc.randomNonce(),
  verifier: oidc.randomPKCECodeVerifier(),
});

/** Where a provider sends users back to. Registered there; nothing in a request changes it. */
export const callbackUrl = ({ publicUrl }: Pick<Config, 'publicUrl'>, { id }: SignInProvider): string =>
  `${publicUrl}/sign-in/${id}/callback`;

/** Talks to the providers in the settings. */
export interface ProviderClient {
  /** The provider's page on which a user signs in. Throws UnreachableError. */
  signInUrl(provider: SignInProvider, secrets: SignInSecrets): Promise<string>;
  /**
   * The claims of the ID token for the code in a callback. Throws UnreachableError, or another Error when the code or
   * the token is not valid for this sign-in.
   */
  exchange(provider: SignInProvider, search: string, secrets: SignInSecrets): Promise<object>;
}

/** The library wraps what its `fetch` throws. */
function unwrap(error: unknown): unknown {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof UnreachableError) return cause;
  return error;
}

/** Makes the client; it reads each provider's description when it is first needed. */
export function makeProviderClient(config: Config, clock: Clock): ProviderClient {
  const known = new Map<string, { description: Promise<oidc.Configuration>; until: number }>();
  const fetch = outbound.makeFetch(config.allowsPrivateProviders);

  const describe = ({ issuer, clientId, clientSecret }: SignInProvider): Promise<oidc.Configuration> =>
    oidc.discovery(
      new URL(issuer),
      clientId,
      { [oidc.clockTolerance]: CLOCK_TOLERANCE_S },
      oidc.ClientSecretPost(clientSecret),
      {
        timeout: TIMEOUT_S,
        [oidc.customFetch]: fetch,
        // Checks the signature too, although the token comes from the provider itself.
        execute: [
          oidc.enableNonRepudiationChecks,
          ...(config.allowsPrivateProviders ? [oidc.allowInsecureRequests] : []),
        ],
      },
    );

  function getDescription(provider: SignInProvider): Promise<oidc.Configuration> {
    const now = clock.now().getTime();
    const current = known.get(provider.id);
    if (current && current.until > now) return current.description;
    const description = describe(provider).catch((error: unknown) => {
      known.delete(provider.id);
      // Whatever is wrong with the description: the user cannot sign in there now.
      throw new UnreachableError(provider.issuer, { cause: error });
    });
    known.set(provider.id, { description, until: now + DESCRIPTION_TTL_MS });
    return description;
  }

  return {
    async signInUrl(provider, { state, nonce, verifier }) {
      const url = oidc.buildAuthorizationUrl(await getDescription(provider), {
        redirect_uri: callbackUrl(config, provider),
        scope: 'openid profile',
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        // Staff share browsers: these two then ask which account, also where one is signed in. Others need not know it.
        ...(provider.kind !== 'other' && { prompt: 'select_account' }),
      });
      return url.href;
    },
    async exchange(provider, search, { state, nonce, verifier }) {
      const description = await getDescription(provider);
      try {
        const tokens = await oidc.authorizationCodeGrant(description, new URL(callbackUrl(config, provider) + search), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        return tokens.claims() ?? {};
      } catch (error) {
        throw unwrap(error);
      }
    },
  };
}
