import { Button } from '../../../../ui/Button.tsx';
import { useState } from 'react';
import type { User } from '#contract/calls/access.ts';
import { useBrowserValue } from '../../../../shared/use-browser-value.ts';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { enterWith } from '../../memberships/enter-school.public.ts';
import { hasPasskeys } from '../model/passkeys.ts';
import { enrolment } from '../second-factor.api.ts';
import { AddAuthenticator } from './AddAuthenticator.tsx';
import { AddPasskey } from './AddPasskey.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';

interface Props {
  token: string;
  onLogIn: (user: User) => Promise<unknown>;
  onRestart: () => void;
}

/** Adds the first passkey or authenticator app of an account that must have one, in the middle of its login. */
export function Enrolment({ token, onLogIn, onRestart }: Props) {
  const [opened, setOpened] = useState<'passkey' | 'app' | null>(null);
  const [added, setAdded] = useState<{ user: User; recovery_codes: string[] } | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const canUsePasskeys = useBrowserValue(hasPasskeys, true);
  const steps = enrolment(token);
  const close = () => setOpened(null);
  const keep = (reply: { user: User; recovery_codes: string[] }) => {
    setAdded(reply);
    return reply.recovery_codes;
  };
  const enter = async ({ user }: { user: User }) => {
    setAdded(null);
    await enterWith(user)
      .then(() => onLogIn(user))
      .catch(setFailure);
  };
  return (
    <>
      <p>
        Your password alone is not enough for this account, because it can reach children’s data. Add a passkey or an
        authenticator app now. You will need it whenever you log in.
      </p>
      {failure !== null && <ErrorNotice error={failure} />}
      {canUsePasskeys && <Button onClick={() => setOpened('passkey')}>Add a passkey</Button>}
      <Button variant="default" onClick={() => setOpened('app')}>
        Add an authenticator app
      </Button>
      <Button variant="subtle" onClick={onRestart}>
        Start again
      </Button>
      <AddPasskey
        isOpen={opened === 'passkey'}
        onClose={close}
        add={async (name) => keep(await steps.addPasskey(name))}
        onAdded={close}
      />
      <AddAuthenticator
        isOpen={opened === 'app'}
        onClose={close}
        begin={steps.beginApp}
        confirm={async (body) => keep(await steps.addApp(body))}
        onAdded={close}
      />
      <RecoveryCodes
        codes={added?.recovery_codes ?? null}
        email={added?.user.email ?? ''}
        onClose={() => added && void enter(added)}
      />
    </>
  );
}
