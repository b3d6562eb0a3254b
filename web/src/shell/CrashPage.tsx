import { Button } from '../ui/Button.tsx';
import { useEffect } from 'react';
import { useRouteError } from '../shared/router.ts';
import { store, readStored } from '../shared/storage.ts';
import { useBrowserValue } from '../shared/use-browser-value.ts';
import { PageHeader } from '../ui/PageHeader.tsx';
import { PlainPage } from './PlainPage.tsx';

const KEY = 'portal.reloaded-at';

/** An update removes the scripts of the old page. Reloading loads the new ones. */
const isMissingScript = (error: unknown) => error instanceof TypeError && /import|module/i.test(error.message);

const subscribeToConnection = (onChange: () => void) => {
  window.addEventListener('online', onChange);
  window.addEventListener('offline', onChange);
  return () => {
    window.removeEventListener('online', onChange);
    window.removeEventListener('offline', onChange);
  };
};

/** Shown when a screen throws, or when its script cannot be loaded. */
export function CrashPage() {
  const error = useRouteError();
  const isOnline = useBrowserValue(() => navigator.onLine, true, subscribeToConnection);
  const isOffline = isMissingScript(error) && !isOnline;
  useEffect(() => {
    // Offline, the browser's own error page would replace the portal.
    if (!isMissingScript(error) || !isOnline) return;
    const last = Number(readStored(KEY) ?? 0);
    if (Date.now() - last < 60_000) return;
    store(KEY, Date.now());
    window.location.reload();
  }, [error, isOnline]);
  if (isOffline)
    return (
      <PlainPage>
        <PageHeader title="You are offline" />
        <p>Check your internet connection. This page loads as soon as you are online again.</p>
      </PlainPage>
    );
  return (
    <PlainPage>
      <PageHeader title="An error occurred" />
      <p>We could not show this page. Everything you saved is safe.</p>
      <Button fullWidth onClick={() => window.location.reload()}>
        Reload the page
      </Button>
    </PlainPage>
  );
}
