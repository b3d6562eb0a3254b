import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { useRouteError } from 'react-router';
import { store, readStored } from '../shared/storage.ts';
import { PageHeader } from '../ui/PageHeader.tsx';
import { PlainPage } from './PlainPage.tsx';

const KEY = 'portal.reloaded-at';

/** An update removes the scripts of the old page. Reloading loads the new ones. */
const isMissingScript = (error: unknown) => error instanceof TypeError && /import|module/i.test(error.message);

/** Shown when a screen throws. */
export function CrashPage() {
  const error = useRouteError();
  useEffect(() => {
    if (!isMissingScript(error)) return;
    const last = Number(readStored(KEY) ?? 0);
    if (Date.now() - last < 60_000) return;
    store(KEY, Date.now());
    window.location.reload();
  }, [error]);
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
