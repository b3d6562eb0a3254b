import { z } from 'zod';

/** A service that logs people in: Microsoft, Google, or another one with OpenID Connect. */
export interface SignInProvider {
  /** In URLs and in the database. */
  id: string;
  /** `microsoft` and `google` have claims of their own that name the organisation. */
  kind: 'microsoft' | 'google' | 'other';
  /** As on the buttons. */
  name: string;
  issuer: string;
  clientId: string;
  clientSecret: string;
}

const EXAMPLE =
  '[{"id":"trust","name":"Our trust","issuer":"https://login.trust.example","client_id":"portal","client_secret":"…"}]';

const isIssuer = (text: string): boolean => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return Boolean(url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username && !url.password);
};

const entry = z.strictObject({
  id: z
    .string('id is missing')
    .regex(/^[a-z][a-z\d-]{0,30}$/, 'id must be lower-case letters, digits and hyphens, at most 31')
    .refine(
      (id) => id !== 'microsoft' && id !== 'google',
      'id must not be microsoft or google, which have settings of their own',
    ),
  name: z
    .string('name is missing')
    .trim()
    .min(1, 'name must not be blank')
    .max(40, 'name must have at most 40 characters')
    .regex(/^[^<>"\p{Cc}]*$/u, 'name must be one line without <, > or "'),
  issuer: z
    .string('issuer is missing')
    .refine(isIssuer, 'issuer must be an https address, as in the provider’s own description of itself'),
  client_id: z.string('client_id is missing').min(1, 'client_id must not be blank').max(300),
  client_secret: z.string('client_secret is missing').min(1, 'client_secret must not be blank').max(1000),
});

const list = z
  .array(entry, `must be a JSON list, such as ${EXAMPLE}`)
  .max(20, 'must name at most 20 providers')
  .refine((entries) => new Set(entries.map(({ id }) => id)).size === entries.length, 'must not use an id twice');

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** The providers in a JSON list. */
export const oidcProviders = z.string().transform((json, context): SignInProvider[] => {
  const { data, error } = list.safeParse(parseJson(json));
  const [issue] = error?.issues ?? [];
  if (issue) {
    const [index] = issue.path;
    const message = typeof index === 'number' ? `is wrong in entry ${index + 1}: ${issue.message}` : issue.message;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  }
  return (data ?? []).map(({ id, name, issuer, client_id: clientId, client_secret: clientSecret }) => ({
    id,
    kind: 'other',
    name,
    issuer,
    clientId,
    clientSecret,
  }));
});

interface ProviderSettings {
  MICROSOFT_CLIENT_ID?: string | undefined;
  MICROSOFT_CLIENT_SECRET?: string | undefined;
  GOOGLE_CLIENT_ID?: string | undefined;
  GOOGLE_CLIENT_SECRET?: string | undefined;
  OIDC_PROVIDERS?: SignInProvider[] | undefined;
}

/** The providers with which users can sign in, in the order of the buttons. */
export function readSignInProviders(given: ProviderSettings): SignInProvider[] {
  const known = (
    kind: 'microsoft' | 'google',
    name: string,
    issuer: string,
    clientId: string | undefined,
    clientSecret: string | undefined,
  ): SignInProvider[] => (clientId && clientSecret ? [{ id: kind, kind, name, issuer, clientId, clientSecret }] : []);
  return [
    ...known(
      'microsoft',
      'Microsoft',
      // Work and school accounts of every organisation; a school's connection names its own.
      'https://login.microsoftonline.com/organizations/v2.0',
      given.MICROSOFT_CLIENT_ID,
      given.MICROSOFT_CLIENT_SECRET,
    ),
    ...known('google', 'Google', 'https://accounts.google.com', given.GOOGLE_CLIENT_ID, given.GOOGLE_CLIENT_SECRET),
    ...(given.OIDC_PROVIDERS ?? []),
  ];
}
