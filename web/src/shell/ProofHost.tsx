import { lazy, Suspense, useEffect, useState } from 'react';
import { onProofRequired } from '../shared/proof.ts';
import { onSessionReset } from '../shared/session-reset.ts';

const ProofDialog = lazy(async () => ({
  default: (await import('../features/accounts/second-factor/second-factor.public.ts')).ProofDialog,
}));

/** Asks who the user is when a call needs a recent login. */
export function ProofHost() {
  const [waiting, setWaiting] = useState<{ answer: (isProved: boolean) => void } | null>(null);
  useEffect(() => onProofRequired(() => new Promise((answer) => setWaiting({ answer }))), []);
  useEffect(() => onSessionReset(() => setWaiting(null)), []);
  const end = (isProved: boolean) => {
    setWaiting(null);
    waiting?.answer(isProved);
  };
  return (
    waiting && (
      <Suspense fallback={null}>
        <ProofDialog onEnd={end} />
      </Suspense>
    )
  );
}
