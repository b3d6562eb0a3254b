import type { User } from '#contract/calls/access.ts';
import type { OpenedInvite } from '#contract/calls/invites.ts';
import { withArticle } from '#contract/permissions.ts';
import { paths } from '../../../../paths.ts';
import { formatDate, listInWords } from '../../../../shared/format.ts';
import { PRODUCT_NAME } from '../../../../shared/product.ts';
import { Button } from '../../../../ui/Button.tsx';
import { EmailText } from '../../../../ui/EmailText.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { Notice } from '../../../../ui/Notice.tsx';
import { PageHeader } from '../../../../ui/PageHeader.tsx';
import { SignInLinks, SignInNotice } from '../../sign-in-providers/sign-in-providers.public.ts';

interface Props {
  /** A pending invitation. */
  invite: OpenedInvite;
  /** The signed-in user, if any. */
  user: User | null;
  /** How a sign-in through a provider ended. */
  signIn: string | null;
  /** Why the last choice was not carried out. */
  error?: unknown;
}

/** Log in, register or decline; for the signed-in user with the invited email, accept or decline. */
export function InviteChoices({ invite, user, signIn, error }: Props) {
  const isInvited = user?.email.toLowerCase() === invite.email.toLowerCase();
  return (
    <>
      <PageHeader
        title={`Join ${invite.enterprise.name}`}
        lead={
          invite.role === 'teacher'
            ? `${invite.enterprise.name} invites you to ${PRODUCT_NAME}.`
            : `${invite.enterprise.name} invites you to join ${PRODUCT_NAME} as ${withArticle(invite.role)}.`
        }
      />
      <p>
        The invitation is for{' '}
        <strong>
          <EmailText email={invite.email} />
        </strong>{' '}
        and works until {formatDate(invite.expires_at)}.
      </p>
      <SignInNotice outcome={signIn} />
      {error !== undefined && <ErrorNotice error={error} />}
      {user && !isInvited && (
        <Notice kind="warning">
          You are logged in as {user.email || user.full_name}. Only {invite.email} can accept this invitation. If you
          log in or register with that address, we’ll log you out first.
        </Notice>
      )}
      {user?.enterprise && isInvited && (
        <p>
          You stay at {listInWords(user.memberships.map(({ enterprise: school }) => school.name))}. You can switch
          between your schools at any time.
        </p>
      )}
      <form method="post" action={paths.invite(invite.id)} className="stack-m above-2xl">
        {user && isInvited ? (
          <Button type="submit" name="answer" value="accept">
            Accept as {user.full_name}
          </Button>
        ) : (
          <>
            {!user && <SignInLinks ids={invite.sign_in_providers} query={{ invitation: invite.id }} />}
            {/* Most invited users are new here. */}
            <Button type="submit" name="answer" value="register">
              Register
            </Button>
            <Button type="submit" name="answer" value="log-in" variant="default">
              Log in
            </Button>
          </>
        )}
        <Button type="submit" name="answer" value="decline" variant="subtle">
          Decline
        </Button>
      </form>
    </>
  );
}
