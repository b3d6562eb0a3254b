import type { SignInOutcome } from '#contract/calls/sign-in-providers.ts';
import { Notice } from '../../../../ui/Notice.tsx';

const TEXTS: Record<SignInOutcome, string> = {
  linked: 'Your account is linked. You can sign in with it from now on, once your school allows it.',
  failed: 'The sign-in was not completed. Try again.',
  unavailable:
    'The sign-in service cannot be reached at the moment. Try again in a few minutes, or log in with your password if your school allows it.',
  unknown:
    'This account is not linked to anyone here. Log in another way, then link it in My details under Security. If you are new, use the link in your invitation.',
  'not-allowed': 'Your school does not allow this account. Use the one that your school gave you.',
  taken: 'This account is already linked to another person here.',
  'other-linked': 'You have linked another account of this provider. Unlink it first.',
  'email-taken':
    'There is already an account with the email address of this invitation. Log in to it, then accept the invitation.',
  'proof-required': 'You proved who you are more than 15 minutes ago. Link your account again.',
  limited: 'There were too many attempts. Wait five minutes, then try again.',
};

/** Explains how a sign-in through a provider ended (`?sign-in=`). */
export function SignInNotice({ outcome }: { outcome: string | null }) {
  const text = outcome !== null && Object.hasOwn(TEXTS, outcome) ? TEXTS[outcome as SignInOutcome] : undefined;
  return text && <Notice kind={outcome === 'linked' ? 'success' : 'error'}>{text}</Notice>;
}
