import { type ComponentType, useEffect, useState, useSyncExternalStore } from 'react';
import { declineLogIn, hostLogInAgain, isLogInDialogOpen, onLogInQuestion } from '../shared/ended-session.ts';

type Dialog = ComponentType<{ onClose: () => void }>;

/** Asks the user to log in again over the page when their session has ended. */
export function LogInAgainHost() {
  const [Loaded, setLoaded] = useState<Dialog | null>(null);
  const isOpen = useSyncExternalStore(onLogInQuestion, isLogInDialogOpen, () => false);
  useEffect(
    () =>
      hostLogInAgain({
        loadDialog: async () => {
          const { LogInAgainDialog } = await import('../features/accounts/access/log-in-again.public.ts');
          setLoaded(() => LogInAgainDialog);
        },
      }),
    [],
  );
  return isOpen && Loaded && <Loaded onClose={declineLogIn} />;
}
