import type { OpenedInvite } from '#contract/calls/invites.ts';
import { paths } from '../../../../paths.ts';
import { count } from '../../../../shared/format.ts';
import { Button } from '../../../../ui/Button.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { FormActions } from '../../../../ui/Form.tsx';
import { LogOutLink } from '../../../../ui/LogOutForm.tsx';
import { PageHeader } from '../../../../ui/PageHeader.tsx';

interface Props {
  invite: OpenedInvite;
  /** The names of the profiles that joining deletes. */
  profiles: readonly string[];
  /** Why the last answer was not carried out. */
  error?: unknown;
}

/** Asks the owner of a private account before joining deletes the profiles of their children. */
export const JoinQuestion = ({ invite, profiles, error }: Props) => (
  <>
    <PageHeader title={`Join ${invite.enterprise.name} and delete your readers?`} />
    <p>
      Accepting the invitation deletes the {count(profiles.length, 'reader')} of your own account: {profiles.join(', ')}
      . You cannot undo this.
    </p>
    {error !== undefined && <ErrorNotice error={error} />}
    <form method="post" action={paths.invite(invite.id)}>
      <FormActions>
        <Button type="submit" name="answer" value="join" color="brick">
          Yes
        </Button>
        <Button type="submit" name="answer" value="decline" variant="default">
          No
        </Button>
      </FormActions>
    </form>
    <LogOutLink text="Close and log out" />
  </>
);
