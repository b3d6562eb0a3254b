import { lazy, Suspense, useEffect, useState } from 'react';
import { onSessionReset } from '../shared/session-reset.ts';
import { onSchoolSwitched } from '../shared/switched-school.ts';

const SwitchBackDialog = lazy(async () => ({
  default: (await import('../features/accounts/memberships/memberships.public.ts')).SwitchBackDialog,
}));

/** Asks the user to switch back when they save something for a school that they have left in another tab. */
export function SwitchBackHost() {
  const [waiting, setWaiting] = useState<{ answer: (isBack: boolean) => void } | null>(null);
  useEffect(() => onSchoolSwitched(() => new Promise((answer) => setWaiting({ answer }))), []);
  useEffect(() => onSessionReset(() => setWaiting(null)), []);
  const end = (isBack: boolean) => {
    setWaiting(null);
    waiting?.answer(isBack);
  };
  return (
    waiting && (
      <Suspense fallback={null}>
        <SwitchBackDialog onEnd={end} />
      </Suspense>
    )
  );
}
