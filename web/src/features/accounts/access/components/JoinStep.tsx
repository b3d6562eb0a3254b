import { Button } from '../../../../ui/Button.tsx';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useNavigate } from '../../../../shared/router.ts';
import type { User } from '#contract/calls/access.ts';
import { paths } from '../../../../paths.ts';
import { ApiError } from '../../../../shared/api-error.ts';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { count } from '../../../../shared/format.ts';
import { ButtonLink } from '../../../../ui/ButtonLink.tsx';
import { Dialog } from '../../../../ui/Dialog.tsx';
import { FormActions } from '../../../../ui/Form.tsx';
import { LogOutButton } from '../../../../ui/LogOutForm.tsx';
import { PageHeader } from '../../../../ui/PageHeader.tsx';
import { showToast } from '../../../../ui/toasts.ts';
import { PageSkeleton } from '../../../../ui/PageSkeleton.tsx';
import { useReloadMe } from '../access.api.ts';
import { accept, type OpenedInvite } from '../invites.api.ts';
import { forgetInvite } from '../model/stored-invite.ts';

/**
 * Children's profiles of a private account, which are deleted when its owner joins a school. Demo profiles do not
 * count.
 */
const ownProfiles = (user: User) =>
  user.user_type === 'standard' ? user.readers.filter(({ type }) => type !== 'demo') : [];

interface Props {
  invite: OpenedInvite;
  user: User;
  /** Declines the invitation and leaves. Throws if it could not be declined. */
  onDecline: () => Promise<void>;
}

/** Accepts the invitation: at once, or after the user has agreed to lose their profiles. */
export function JoinStep({ invite, user, onDecline }: Props) {
  const navigate = useNavigate();
  const reloadMe = useReloadMe();
  const [profiles] = useState(() => ownProfiles(user));
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const mustAsk = profiles.length > 0;
  const school = invite.enterprise.name;

  const run = async (work: () => Promise<void>) => {
    setBusy(true);
    setFailure(null);
    try {
      await work();
    } catch (error) {
      // The server would reject the same request again.
      if (error instanceof ApiError && error.status >= 400 && error.status < 500) forgetInvite();
      setFailure(error);
    } finally {
      setBusy(false);
    }
  };
  const join = () =>
    run(async () => {
      await accept(invite.id);
      forgetInvite();
      await reloadMe();
      showToast(`You have joined ${school}`);
      await navigate(paths.dashboard(), { replace: true });
    });
  const decline = () => run(onDecline);
  const leave = useCallback(() => void navigate(paths.logout(), { replace: true }), [navigate]);

  const isStarted = useRef(false);
  useEffect(() => {
    if (mustAsk || isStarted.current) return;
    isStarted.current = true;
    void join();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, when the step opens: `join` is new on each render
  }, []);

  const isRejected = failure instanceof ApiError && failure.status >= 400 && failure.status < 500;
  return (
    <>
      <PageHeader title={`Join ${school}`} />
      {failure === null && !mustAsk && <PageSkeleton />}
      {failure !== null && !(mustAsk && !isRejected) && (
        <>
          <ErrorNotice error={failure} {...(!isRejected && { onRetry: () => void join() })} />
          <FormActions>
            <ButtonLink to={paths.dashboard()}>Go to main page</ButtonLink>
            <LogOutButton />
          </FormActions>
        </>
      )}
      <Dialog isOpen={mustAsk && !isRejected} onClose={leave} title={`Join ${school} and delete your readers?`}>
        <p>
          Accepting the invitation deletes the {count(profiles.length, 'reader')} of your own account:{' '}
          {profiles.map(({ name }) => name).join(', ')}. You cannot undo this.
        </p>
        {failure !== null && <ErrorNotice error={failure} />}
        <FormActions>
          <Button color="brick" loading={isBusy} onClick={() => void join()}>
            Yes
          </Button>
          <Button variant="default" data-autofocus disabled={isBusy} onClick={() => void decline()}>
            No
          </Button>
        </FormActions>
      </Dialog>
    </>
  );
}
