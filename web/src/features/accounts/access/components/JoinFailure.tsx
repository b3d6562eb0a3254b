import type { OpenedInvite } from '#contract/calls/invites.ts';
import { paths } from '../../../../paths.ts';
import { ButtonLink } from '../../../../ui/ButtonLink.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { FormActions } from '../../../../ui/Form.tsx';
import { LogOutButton } from '../../../../ui/LogOutForm.tsx';
import { PageHeader } from '../../../../ui/PageHeader.tsx';

interface Props {
  invite: OpenedInvite;
  error: unknown;
  /** False when the server would reject the same request again. */
  canRetry: boolean;
}

/** Explains why the user could not join the school. */
export const JoinFailure = ({ invite, error, canRetry }: Props) => (
  <>
    <PageHeader title={`Join ${invite.enterprise.name}`} />
    <ErrorNotice error={error} />
    <FormActions>
      {canRetry && <ButtonLink to={paths.invite(invite.id)}>Try again</ButtonLink>}
      <ButtonLink to={paths.dashboard()} variant={canRetry ? 'default' : 'filled'}>
        Go to main page
      </ButtonLink>
      <LogOutButton />
    </FormActions>
  </>
);
