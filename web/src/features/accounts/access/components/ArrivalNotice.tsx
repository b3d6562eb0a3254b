import { Notice } from '../../../../ui/Notice.tsx';

const COOKIES_BLOCKED =
  'This browser does not keep cookies, so it cannot stay logged in. Allow cookies for this site in the browser’s settings, then load the page again.';

const REASONS: Record<string, string> = {
  'session-ended': 'Your session has ended. Log in again to continue.',
  decline: 'You have declined the invitation',
  'invite-accepted': 'This invitation has already been accepted. Log in to open the school.',
  'invite-declined': 'This invitation was declined. If that was a mistake, ask the school for a new one.',
  'invite-expired': 'This invitation has expired. Ask the school to send it again.',
  'invite-unknown': 'This invitation no longer exists. Ask the school for a new one.',
  'password-changed': 'Your password has been changed. Log in with the new one.',
};

const GOOD: readonly (string | null)[] = ['decline', 'invite-accepted', 'password-changed'];

interface Props {
  /** `?action=` */
  action: string | null;
  /** The address of the invitation that the visitor accepts by the login. */
  invitedEmail: string | undefined;
}

/** Explains on the login page why the user is there. */
export function ArrivalNotice({ action, invitedEmail }: Props) {
  const reason = action === null ? undefined : REASONS[action];
  if (reason)
    return (
      <Notice isOutcome kind={GOOD.includes(action) ? 'info' : 'warning'}>
        {reason}
      </Notice>
    );
  return invitedEmail !== undefined && <Notice>Log in as {invitedEmail} to accept your invitation.</Notice>;
}

/** The script of guest pages shows it where the browser keeps no cookies. */
export const CookiesBlocked = ({ isKnown }: { isKnown: boolean }) => (
  <div hidden={!isKnown} data-cookies-blocked>
    <Notice kind="error">{COOKIES_BLOCKED}</Notice>
  </div>
);
