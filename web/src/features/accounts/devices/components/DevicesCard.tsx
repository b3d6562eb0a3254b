import { Button } from '../../../../ui/Button.tsx';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from '../../../../ui/Link.tsx';
import type { Session } from '#contract/calls/sessions.ts';
import { paths } from '../../../../paths.ts';
import { formatDate } from '../../../../shared/format.ts';
import { Card } from '../../../../ui/Card.tsx';
import { Chip } from '../../../../ui/Chip.tsx';
import { Confirm } from '../../../../ui/Confirm.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { PageSkeleton } from '../../../../ui/PageSkeleton.tsx';
import { showToast } from '../../../../ui/toasts.ts';
import { sessionsQuery, useEndOtherSessions, useEndSession } from '../devices.api.ts';
import { deviceName, lastUse } from '../model/session-text.ts';
import css from './DevicesCard.module.css';

/** The devices on which the user is logged in, each with a button that logs it out. */
export function DevicesCard() {
  return (
    <Card aria-labelledby="devices-title" className={css.card}>
      <h2 id="devices-title">Where you are logged in</h2>
      <Devices />
    </Card>
  );
}

function Devices() {
  const found = useQuery(sessionsQuery());
  const endSession = useEndSession();
  const endOthers = useEndOtherSessions();
  const [open, setOpen] = useState<Session | 'others' | null>(null);
  const close = () => setOpen(null);
  const sessions = found.data?.sessions;
  if (!sessions)
    return found.error ? <ErrorNotice error={found.error} onRetry={() => void found.refetch()} /> : <PageSkeleton />;
  const name = open && open !== 'others' ? deviceName(open) : '';

  return (
    <>
      <p>
        If you do not recognise a device, log it out and <Link to={paths.account()}>choose a new password</Link>.
      </p>
      <ul className={css.devices}>
        {sessions.map((session) => (
          <li key={session.id}>
            <span className={css.device}>
              <span className={`row ${css.name}`}>
                {deviceName(session)}
                {session.is_current && <Chip tone="success">This device</Chip>}
              </span>
              <small>
                {lastUse(session)}. Logged in on {formatDate(session.created_at)}.
              </small>
            </span>
            {!session.is_current && (
              <Button
                variant="default"
                aria-label={`Log out ${deviceName(session)}, logged in on ${formatDate(session.created_at)}`}
                onClick={() => setOpen(session)}
              >
                Log out
              </Button>
            )}
          </li>
        ))}
      </ul>
      {sessions.length > 1 && (
        <Button variant="default" onClick={() => setOpen('others')}>
          Log out all other devices
        </Button>
      )}
      <Confirm
        isOpen={open !== null && open !== 'others'}
        onClose={close}
        title={`Log out ${name}?`}
        action="Log out"
        onConfirm={async () => {
          if (open === null || open === 'others') return;
          await endSession.mutateAsync(open.id);
          showToast(`${name} has been logged out`);
        }}
      >
        <p>To use the portal there again, you’ll need to log in. We’ll email you about that login.</p>
      </Confirm>
      <Confirm
        isOpen={open === 'others'}
        onClose={close}
        title="Log out all other devices?"
        action="Log out all others"
        onConfirm={async () => {
          await endOthers.mutateAsync(undefined);
          showToast('All other devices have been logged out');
        }}
      >
        <p>You stay logged in on this device. To use the portal on another one, you’ll need to log in there again.</p>
      </Confirm>
    </>
  );
}
