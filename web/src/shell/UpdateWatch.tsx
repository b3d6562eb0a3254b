import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { STAGE, VERSION } from '../shared/product.ts';
import { hasUnsavedWork } from '../shared/unsaved-work.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { FormActions } from '../ui/Form.tsx';
import css from './UpdateWatch.module.css';
import { ASK_EVERY_MS, fetchVersion, isWatched } from './version.ts';

/** Watches for a newer version of the portal, and offers it without losing what is being written. */
export function UpdateWatch({ version = VERSION }: { version?: string | undefined }) {
  return isWatched(STAGE, version) ? <Watch current={version} /> : null;
}

function Watch({ current }: { current: string }) {
  const [latest, setLatest] = useState(current);
  // A version that was put off is offered again only when there is a still newer one.
  const [putOff, setPutOff] = useState(current);
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
    const timer = setInterval(() => void ask(), ASK_EVERY_MS);
    const again = () => void ask();
    window.addEventListener('online', again);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', again);
      ended.abort();
    };
  }, []);

  const isOffered = latest !== current && latest !== putOff;
  return (
    <>
      {failure && (
        <div className={css.failure} role="status">
          <strong>{failure}</strong>
          <span>
            The portal cannot be reached at the moment. What you see may be out of date; save your work again later.
          </span>
          <button type="button" onClick={() => setFailure(null)}>
            Close
          </button>
        </div>
      )}
      <Dialog isOpen={isOffered} onClose={() => setPutOff(latest)} title="An update is available">
        <Offer onLater={() => setPutOff(latest)} />
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
          ? 'You have changes on this page that are not saved. Save them first: updating loads the page again, and your browser will ask before it lets them go.'
          : 'Updating loads the page again. Nothing is lost.'}
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
