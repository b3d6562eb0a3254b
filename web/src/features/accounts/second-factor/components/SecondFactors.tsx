import { Button } from '../../../../ui/Button.tsx';
import { IconDeviceMobile, IconFingerprint } from '@tabler/icons-react';
import { useState } from 'react';
import type { Factor } from '#contract/calls/second-factor.ts';
import { MAX_FACTORS } from '#contract/limits.ts';
import { formatDate, formatMoment } from '../../../../shared/format.ts';
import { useUser } from '../../../../shared/session.ts';
import { useBrowserValue } from '../../../../shared/use-browser-value.ts';
import { usePrefetchedQuery } from '../../../../shared/use-prefetched-query.ts';
import { ActionMenu, MenuButton } from '../../../../ui/ActionMenu.tsx';
import { Card } from '../../../../ui/Card.tsx';
import { Confirm } from '../../../../ui/Confirm.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { ItemList } from '../../../../ui/ItemList.tsx';
import { Notice } from '../../../../ui/Notice.tsx';
import { SectionHead } from '../../../../ui/SectionHead.tsx';
import { showToast } from '../../../../ui/toasts.ts';
import { hasPasskeys } from '../model/passkeys.ts';
import {
  beginAuthenticator,
  factorsQuery,
  useAddPasskey,
  useCancelRecovery,
  useConfirmAuthenticator,
  useRemoveFactor,
  useRenewRecoveryCodes,
} from '../second-factor.api.ts';
import { AddAuthenticator } from './AddAuthenticator.tsx';
import { AddPasskey } from './AddPasskey.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';
import { RenameFactor } from './RenameFactor.tsx';
import css from './SecondFactors.module.css';

type FactorDialog = { what: 'passkey' | 'app' | 'renew' } | { what: 'rename' | 'remove'; factor: Factor };

const KINDS: Record<Factor['kind'], string> = { authenticator: 'Authenticator app', passkey: 'Passkey' };

/** The passkeys and authenticator apps of the user's own account. */
export function SecondFactors() {
  const found = usePrefetchedQuery(factorsQuery());
  const { email } = useUser();
  const confirm = useConfirmAuthenticator();
  const addPasskey = useAddPasskey();
  const remove = useRemoveFactor();
  const renew = useRenewRecoveryCodes();
  const [opened, setOpened] = useState<FactorDialog | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const canUsePasskeys = useBrowserValue(hasPasskeys, true);
  const close = () => setOpened(null);
  const factors = found.data?.factors ?? [];
  const isFull = factors.length >= MAX_FACTORS;
  const removed = opened?.what === 'remove' ? opened.factor : undefined;
  const isLast = factors.length === 1;
  const added = (name: string, newCodes: string[] | null) => {
    close();
    setCodes(newCodes);
    showToast(`${name} added`);
  };
  return (
    <Card className="measure below-xl" aria-labelledby="second-factors">
      <SectionHead
        id="second-factors"
        title="Passkeys and authenticator apps"
        note="A password can be guessed or copied. With a passkey or an authenticator app, your password alone is not enough to log in."
        actions={
          !isFull && (
            <>
              {canUsePasskeys && <Button onClick={() => setOpened({ what: 'passkey' })}>Add a passkey</Button>}
              <Button variant="default" onClick={() => setOpened({ what: 'app' })}>
                Add an authenticator app
              </Button>
            </>
          )
        }
      />
      {found.error && !found.data && <ErrorNotice error={found.error} onRetry={() => void found.refetch()} />}
      {found.data?.recovery_due_at && <RecoveryNotice dueAt={found.data.recovery_due_at} />}
      {found.data && factors.length === 0 && (
        <p className="soft flat">
          You have none yet. A passkey is quickest: you log in with your fingerprint, face or PIN. Adding your first one
          logs you out on all your other devices.
        </p>
      )}
      {factors.length > 0 && (
        <ItemList
          items={factors.map((factor) => {
            const { id, kind, name, created_at, last_used_at } = factor;
            const Icon = kind === 'passkey' ? IconFingerprint : IconDeviceMobile;
            const use = last_used_at ? `Last used on ${formatDate(last_used_at)}.` : 'Not used yet.';
            return {
              key: id,
              icon: <Icon size={24} aria-hidden />,
              name,
              note: `${KINDS[kind]}, added on ${formatDate(created_at)}. ${use}`,
              action: (
                <ActionMenu label={`Actions for ${name}`}>
                  <MenuButton label={`Rename ${name}`} onClick={() => setOpened({ what: 'rename', factor })}>
                    Rename
                  </MenuButton>
                  <MenuButton label={`Remove ${name}`} onClick={() => setOpened({ what: 'remove', factor })}>
                    Remove
                  </MenuButton>
                </ActionMenu>
              ),
            };
          })}
        />
      )}
      {factors.length > 0 && found.data && (
        <div className={`row spread ${css.codes}`}>
          <p>
            {found.data.recovery_codes_left === 0
              ? 'You have no recovery codes left. Make new ones now: without them, losing your device locks you out.'
              : `You have ${found.data.recovery_codes_left} of 10 recovery codes left, for when you do not have your device.`}
          </p>
          <Button variant="default" onClick={() => setOpened({ what: 'renew' })}>
            Make new recovery codes
          </Button>
        </div>
      )}
      <AddPasskey
        isOpen={opened?.what === 'passkey'}
        onClose={close}
        add={async (name) => (await addPasskey.mutateAsync(name)).recovery_codes}
        onAdded={added}
      />
      <AddAuthenticator
        isOpen={opened?.what === 'app'}
        onClose={close}
        begin={beginAuthenticator}
        confirm={async (body) => (await confirm.mutateAsync(body)).recovery_codes}
        onAdded={added}
      />
      <RenameFactor factor={opened?.what === 'rename' ? opened.factor : undefined} onClose={close} />
      <Confirm
        isOpen={removed !== undefined}
        onClose={close}
        title={`Remove ${removed?.name ?? ''}?`}
        action="Remove"
        isDangerous
        onConfirm={async () => {
          if (!removed) return;
          await remove.mutateAsync(removed.id);
          showToast(`${removed.name} removed`);
        }}
      >
        {isLast
          ? 'It is your last one: your recovery codes stop working, and your password alone will be enough to log in.'
          : 'You can no longer log in with it. Your other ones keep working.'}
      </Confirm>
      <Confirm
        isOpen={opened?.what === 'renew'}
        onClose={close}
        title="Make new recovery codes?"
        action="Make new codes"
        onConfirm={async () => setCodes((await renew.mutateAsync()).recovery_codes)}
      >
        The codes that you have now stop working.
      </Confirm>
      <RecoveryCodes codes={codes} email={email} onClose={() => setCodes(null)} />
    </Card>
  );
}

/** Before support removes the user's factors. */
function RecoveryNotice({ dueAt }: { dueAt: string }) {
  const cancel = useCancelRecovery();
  return (
    <Notice kind="warning" title="Support will reset your second factor">
      <p>
        On {formatMoment(dueAt)} we will remove all your passkeys and authenticator apps, because you told us that you
        have lost them. If you did not ask for this, cancel it and change your password.
      </p>
      {cancel.error && <ErrorNotice error={cancel.error} />}
      <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
        Cancel the reset
      </Button>
    </Notice>
  );
}
