import { SIGN_IN_MAX_AGE } from '../../../auth/session-cookie.ts';
import { sealSecret, unsealSecret } from '../../../auth/secrets-key.ts';
import type { Config } from '../../../config.ts';
import type { SignInSecrets } from './provider-client.service.ts';

/** What a sign-in is for. */
export type SignInPurpose =
  | { kind: 'log-in' }
  /** Links the account to a user who is logged in; with `isSetUp` instead of a first password. */
  | { kind: 'link'; userId: number; isSetUp: boolean }
  /** Accepts the invitation with this link. */
  | { kind: 'invitation'; token: string };

/** A sign-in that has begun, in the browser's cookie. */
export interface SignInFlow extends SignInSecrets {
  provider: string;
  purpose: SignInPurpose;
  /** The path to go to afterwards; null for the usual one. */
  redirect: string | null;
  /** In milliseconds. */
  begunAt: number;
}

/** The permission to link an account, with which the user's browser begins a sign-in. */
interface LinkTicket {
  provider: string;
  purpose: SignInPurpose & { kind: 'link' };
  begunAt: number;
}

const FLOW_PURPOSE = 'sign-in';
const TICKET_PURPOSE = 'link ticket';
const TICKET_TTL_MS = 5 * 60_000;

const sealJson = (config: Config, purpose: string, content: object): string =>
  sealSecret(config, purpose, Buffer.from(JSON.stringify(content))).toString('base64url');

/** What was sealed here for this purpose. Undefined for another text, or one that is older than this. */
function unsealJson(config: Config, purpose: string, sealed: string, ttlMs: number, now: Date): unknown {
  try {
    const content: unknown = JSON.parse(unsealSecret(config, purpose, Buffer.from(sealed, 'base64url')).toString());
    return now.getTime() - (content as { begunAt: number }).begunAt < ttlMs ? content : undefined;
  } catch {
    return undefined;
  }
}

export const sealFlow = (config: Config, flow: SignInFlow): string => sealJson(config, FLOW_PURPOSE, flow);

export const unsealFlow = (config: Config, sealed: string, now: Date): SignInFlow | undefined =>
  unsealJson(config, FLOW_PURPOSE, sealed, SIGN_IN_MAX_AGE * 1000, now) as SignInFlow | undefined;

/** The path with which a user's browser begins to link an account at a provider. */
export const makeLinkUrl = (
  config: Config,
  provider: string,
  { userId, isSetUp }: { userId: number; isSetUp: boolean },
  now: Date,
): string => {
  const ticket: LinkTicket = { provider, purpose: { kind: 'link', userId, isSetUp }, begunAt: now.getTime() };
  return `/sign-in/${provider}?ticket=${sealJson(config, TICKET_PURPOSE, ticket)}`;
};

export function unsealTicket(
  config: Config,
  sealed: string,
  provider: string,
  now: Date,
): LinkTicket['purpose'] | undefined {
  const ticket = unsealJson(config, TICKET_PURPOSE, sealed, TICKET_TTL_MS, now) as LinkTicket | undefined;
  return ticket?.provider === provider ? ticket.purpose : undefined;
}
