import { Notice } from '../../../../ui/Notice.tsx';
import { useStoredInvite } from '../model/stored-invite.ts';

type Kind = 'info' | 'warning' | 'error';

export const COOKIES_BLOCKED =
  'This browser does not keep cookies, so it cannot stay logged in. Allow cookies for this site in the browser’s settings, then load the page again.';

const REASONS: Record<string, string> = {
  'session-ended': 'Your session has ended. Log in again to continue.',
  'cookies-blocked': COOKIES_BLOCKED,
  decline: 'You have declined the invitation',
  'invite-accepted': 'This invitation has already been accepted. Log in to open the school.',
  'invite-declined': 'This invitation was declined. If that was a mistake, ask the school for a new one.',
  'invite-expired': 'This invitation has expired. Ask the school to send it again.',
  'invite-unknown': 'This invitation no longer exists. Ask the school for a new one.',
  'login-failed': 'Login failed. Check your email address and password, and try again.',
  'login-second-step':
    'Your account needs a passkey or an authenticator app, which need JavaScript. Turn it on to log in.',
  'login-limited': 'There were too many attempts. Wait five minutes, then try again.',
  'login-unavailable': 'Oops something went wrong, please try again.',
  'password-changed': 'Your password has been changed. Log in with the new one.',
};

const kindOf = (action: string | null): Kind =>
  action === 'decline' || action === 'invite-accepted' || action === 'password-changed'
    ? 'info'
    : action === 'cookies-blocked' || action?.startsWith('login-')
      ? 'error'
      : 'warning';

/** Explains on the login page why the user is there. */
export function ArrivalNotice({ action }: { action: string | null }) {
  const reason = action === null ? undefined : REASONS[action];
  const invite = useStoredInvite();
  if (reason) return <Notice kind={kindOf(action)}>{reason}</Notice>;
  return invite && <Notice>Log in as {invite.email} to accept your invitation.</Notice>;
}
