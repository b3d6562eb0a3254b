import { Button } from '../ui/Button.tsx';
import { useEffect, useState } from 'react';
import { STAGE, VERSION } from '../shared/product.ts';
import { hasUnsavedWork } from '../shared/unsaved-work.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { FormActions } from '../ui/Form.tsx';
import { useAnnouncement } from '../ui/use-announcement.ts';
import css from './UpdateWatch.module.css';

/** How often a page checks for a newer version. */
const CHECK_INTERVAL_MS = 120_000;

const UNREACHABLE =
  'We cannot reach the portal at the moment. This page may be out of date. Save your work again later.';

/** The hash of the server's current build. Throws when the request fails or returns something else. */
export async function fetchVersion(signal: AbortSignal): Promise<string> {
  const failure = new Error('Error: Network Error');
  const response = await fetch(`/version.json?t=${Date.now()}`, { signal, cache: 'no-store' }).catch(
    (error: unknown) => {
      throw signal.aborted ? error : failure;
    },
  );
  const { hash } = (await response.json().catch(() => ({}))) as { hash?: unknown };
  if (!response.ok || typeof hash !== 'string') throw failure;
  return hash;
}

/** Not watched in development, where each save would be an update. */
export const isWatched = (stage: string, version: string | undefined): version is string =>
  version !== undefined && stage !== 'development' && stage !== 'local';

/** Watches for a newer version of the portal, and offers it without losing unsaved work. */
export function UpdateWatch({ version = VERSION }: { version?: string | undefined }) {
  return isWatched(STAGE, version) ? <Watch current={version} /> : null;
}

function Watch({ current }: { current: string }) {
  const [latest, setLatest] = useState(current);
  // After Back to my changes, only an even newer version is offered.
  const [dismissedVersion, setDismissedVersion] = useState(current);
  const [failure, setFailure] = useState<string | null>(null);

  useEffect(() => {
    const ended = new AbortController();
    const ask = async () => {
      try {
        setLatest(await fetchVersion(ended.signal));
        setFailure(null);
      } catch (error) {
        if (!ended.signal.aborted) setFailure((error as Error).message);
      }
    };
    const timer = setInterval(() => void ask(), CHECK_INTERVAL_MS);
    const again = () => void ask();
    window.addEventListener('online', again);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', again);
      ended.abort();
    };
  }, []);

  useAnnouncement(failure && `${failure}. ${UNREACHABLE}`);
  const isOffered = latest !== current && latest !== dismissedVersion;
  return (
    <>
      {failure && (
        <div className={`row ${css.failure} no-print`}>
          <strong>{failure}</strong>
          <span>{UNREACHABLE}</span>
          <button type="button" onClick={() => setFailure(null)}>
            Close
          </button>
        </div>
      )}
      <Dialog isOpen={isOffered} onClose={() => setDismissedVersion(latest)} title="An update is available">
        <Offer onLater={() => setDismissedVersion(latest)} />
      </Dialog>
    </>
  );
}

function Offer({ onLater }: { onLater: () => void }) {
  const isUnsaved = hasUnsavedWork();
  return (
    <>
      <p>
        {isUnsaved
          ? 'You have unsaved changes on this page. Save them first, because updating reloads the page. Your browser will ask before it discards them.'
          : 'Updating reloads the page. You will not lose anything.'}
      </p>
      <FormActions>
        <Button variant={isUnsaved ? 'default' : 'filled'} onClick={() => window.location.reload()}>
          Update now
        </Button>
        <Button variant={isUnsaved ? 'filled' : 'default'} onClick={onLater}>
          {isUnsaved ? 'Back to my changes' : 'Later'}
        </Button>
      </FormActions>
    </>
  );
}
