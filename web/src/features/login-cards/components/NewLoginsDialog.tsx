import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import { useUnsavedWork } from '../../../shared/unsaved-work.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { DisabledReasonButton } from '../../../ui/DisabledReasonButton.tsx';
import { LoginDownloads } from './LoginDownloads.tsx';
import type { NewLogins } from '../model/new-logins.ts';
import css from './NewLoginsDialog.module.css';

/** Hands out the logins of new pupils. The passwords exist nowhere else, so it stays until the files are downloaded. */
export function NewLoginsDialog({ logins, onClose }: { logins: NewLogins | null; onClose: () => void }) {
  return (
    <Dialog isOpen={logins !== null} onClose={() => undefined} canClose={false} title="New logins" size="lg">
      {logins && <Content key={logins.links.logins} logins={logins} onClose={onClose} />}
    </Dialog>
  );
}

function Content({ logins, onClose }: { logins: NewLogins; onClose: () => void }) {
  const [isTicked, setTicked] = useState(false);
  // A download that this page has seen needs no word from the person, and no press in the same moment takes it back.
  const [isDownloaded, setDownloaded] = useState(false);
  const isConfirmed = isTicked || isDownloaded;
  useUnsavedWork(true);

  return (
    <div className={css.content}>
      <Notice kind="success" title="The pupils have been created and added to your school">
        {logins.summary}
      </Notice>
      <p>Download the logins now. We cannot show these passwords again: a pupil who loses one needs a new one.</p>
      <LoginDownloads links={logins.links} onDownloaded={() => setDownloaded(true)} />
      <Checkbox
        label="I have downloaded the files"
        checked={isConfirmed}
        onChange={(event) => setTicked(event.currentTarget.checked)}
      />
      <div className={css.buttons}>
        <DisabledReasonButton
          side="above"
          disabledReason={isConfirmed ? undefined : 'Confirm first that you have downloaded the files.'}
          onClick={onClose}
        >
          Close
        </DisabledReasonButton>
      </div>
    </div>
  );
}
