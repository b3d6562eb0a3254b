import { z } from 'zod';
import type { ProviderAccount } from '../../../auth/linked-accounts.queries.ts';
import type { SignInProvider } from '../../../sign-in-settings.ts';

/** Claims of any provider. A claim of another type makes the token invalid: `"false"` is a string, and true in most code. */
const claims = z.object({
  iss: z.string(),
  sub: z.string().min(1).max(255),
  email_verified: z.boolean().optional(),
  given_name: z.string().max(200).optional(),
  family_name: z.string().max(200).optional(),
});

/** `oid` is the person in the tenant; `sub` would be another one for each app. */
const microsoftClaims = claims.extend({ tid: z.uuid().toLowerCase(), oid: z.uuid().toLowerCase() });

/** Only accounts of an organisation have `hd`. */
const googleClaims = claims.extend({
  hd: z
    .string()
    .max(253)
    .toLowerCase()
    .regex(/^[a-z\d.-]+\.[a-z\d-]+$/),
});

/** The tenant of personal Microsoft accounts. */
const PERSONAL_TENANT = '9188040d-6c67-4c5b-b112-36a304b66dad';

/** A person's account at a provider, and the names that it has there. */
export interface ProviderPerson extends ProviderAccount {
  firstName: string | undefined;
  lastName: string | undefined;
}

/** Reads the account from the claims of a valid ID token. Undefined when it belongs to no organisation. */
export function readPerson({ id, kind, issuer }: SignInProvider, token: object): ProviderPerson | undefined {
  const personOf = (
    { iss, given_name, family_name }: z.output<typeof claims>,
    subject: string,
    tenant: string | null,
  ): ProviderPerson => ({ provider: id, issuer: iss, subject, tenant, firstName: given_name, lastName: family_name });
  if (kind === 'microsoft') {
    const { data } = microsoftClaims.safeParse(token);
    const isOwnIssuer = data?.iss === new URL(`/${data?.tid}/v2.0`, issuer).href;
    return data && isOwnIssuer && data.tid !== PERSONAL_TENANT ? personOf(data, data.oid, data.tid) : undefined;
  }
  if (kind === 'google') {
    const { data } = googleClaims.safeParse(token);
    return data && personOf(data, data.sub, data.hd);
  }
  const { data } = claims.safeParse(token);
  return data && personOf(data, data.sub, null);
}
