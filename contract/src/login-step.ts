import type { ErrorReply } from './error-reply.ts';

/** The second step of a login: its token, and what the account has for it. Without methods it adds its first one. */
export type LoginStep = NonNullable<ErrorReply['second_factor']>;

/** How the next page knows the step: from a cookie with this value, or from the fragment of its URL. */
export interface LoginStepPage {
  to: string;
  keep: { step: string | null };
}

/**
 * Where a login goes that needs a second step. The token is never in a part of the URL that a server or a log receives.
 * @param redirect the page to open afterwards
 */
export function pageOfLoginStep(step: LoginStep, redirect: string | undefined): LoginStepPage {
  const query = redirect === undefined ? '' : `?redirect=${encodeURIComponent(redirect)}`;
  if (step.methods.length > 0) return { to: `/login/second-step${query}`, keep: { step: JSON.stringify(step) } };
  return { to: `/login/enrolment${query}#step=${encodeURIComponent(step.token)}`, keep: { step: null } };
}

/** Reads the value of the cookie; undefined without one. */
export function readLoginStep(kept: string | undefined): LoginStep | undefined {
  try {
    const step = JSON.parse(kept ?? 'null') as Partial<LoginStep> | null;
    return typeof step?.token === 'string' && Array.isArray(step.methods) ? (step as LoginStep) : undefined;
  } catch {
    return undefined;
  }
}
