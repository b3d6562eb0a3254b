import type { ErrorReply } from '#contract/error-reply.ts';
import { ApiError } from './api-error.ts';

/** The second step of a login: its token, and what the account has for it. Without methods it adds its first one. */
export type SecondStepData = NonNullable<ErrorReply['second_factor']>;

/** What a failed login asks for next; undefined when it simply failed. */
export const secondStepOf = (error: unknown): SecondStepData | undefined =>
  error instanceof ApiError && (error.code === 'second_factor_required' || error.code === 'enrolment_required')
    ? error.secondFactor
    : undefined;

const METHODS: readonly string[] = ['authenticator', 'passkey', 'recovery_code'] satisfies SecondStepData['methods'];

/** The second step in a URL's fragment, after the first through a provider; null without one. */
export function readSecondStep(fragment: string): SecondStepData | null {
  const parts = new URLSearchParams(fragment.slice(1));
  const token = parts.get('step');
  const methods =
    parts
      .get('methods')
      ?.split(' ')
      .filter((method) => METHODS.includes(method)) ?? [];
  return token ? { token, methods: methods as SecondStepData['methods'] } : null;
}
