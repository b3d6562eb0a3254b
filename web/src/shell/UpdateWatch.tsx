import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { STAGE, VERSION } from '../shared/product.ts';
import { hasUnsavedWork } from '../shared/unsaved-work.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { FormActions } from '../ui/Form.tsx';
import { ASK_EVERY_MS, fetchVersion, isWatched } from './version.ts';

/** Watches for a newer version of the portal, and offers it without losing what is being written. */
export function UpdateWatch() {
  return isWatched(STAGE, VERSION) ? <Watch current={VERSION} /> : null;
}

function Watch({ current }: { current: string }) {
  const [latest, setLatest] = useState(current);
  // A version that was put off is offered again only when there is a still newer one.
  const [putOff, setPutOff] = useState(current);

  useEffect(() => {
    const ended = new AbortController();
    const ask = () => {
      // Without a network there is nothing to offer; the screen's own calls say that it is gone.
      fetchVersion(ended.signal).then(setLatest, () => undefined);
    };
    const timer = setInterval(ask, ASK_EVERY_MS);
    return () => {
      clearInterval(timer);
      ended.abort();
    };
  }, []);

  const isOffered = latest !== current && latest !== putOff;
  return (
    <Dialog isOpen={isOffered} onClose={() => setPutOff(latest)} title="An update is available">
      <Offer onLater={() => setPutOff(latest)} />
    </Dialog>
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
