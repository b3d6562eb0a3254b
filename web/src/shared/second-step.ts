import type { LoginStep } from '#contract/login-step.ts';
import { ApiError } from './api-error.ts';

/** What a failed login asks for next; undefined when it simply failed. */
export const secondStepOf = (error: unknown): LoginStep | undefined =>
  error instanceof ApiError && (error.code === 'second_factor_required' || error.code === 'enrolment_required')
    ? error.secondFactor
    : undefined;

/** The token with which a user adds a first factor, in the fragment of a URL; null without one. */
export const readEnrolment = (fragment: string): string | null =>
  new URLSearchParams(fragment.slice(1)).get('step') || null;
