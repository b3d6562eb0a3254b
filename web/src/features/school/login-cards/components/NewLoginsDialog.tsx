import { Button } from '../../../../ui/Button.tsx';
import { Checkbox } from '../../../../ui/Checkbox.tsx';
import { useState } from 'react';
import { CARDS_AT_ONCE } from '#contract/limits.ts';
import { useUnsavedWork } from '../../../../shared/unsaved-work.ts';
import { Dialog } from '../../../../ui/Dialog.tsx';
import { Notice } from '../../../../ui/Notice.tsx';
import { DisabledReasonButton } from '../../../../ui/DisabledReasonButton.tsx';
import { CardSheet } from './CardSheet.tsx';
import { LoginDownloads } from './LoginDownloads.tsx';
import type { NewLogins } from '../model/new-logins.ts';
import css from './CardSheet.module.css';

/**
 * Hands out the logins of new pupils. The passwords are stored nowhere else, so it stays open until the files are
 * downloaded.
 */
export function NewLoginsDialog({ logins, onClose }: { logins: NewLogins | null; onClose: () => void }) {
  return (
    <Dialog isOpen={logins !== null} onClose={() => undefined} canClose={false} title="New logins" size="lg">
      {logins && <Content key={logins.links.logins} logins={logins} onClose={onClose} />}
    </Dialog>
  );
}

function Content({ logins, onClose }: { logins: NewLogins; onClose: () => void }) {
  const [isTicked, setTicked] = useState(false);
  // A download from this page needs no confirmation, and no click at the same moment can undo it.
  const [isDownloaded, setDownloaded] = useState(false);
  const [isPrinting, setPrinting] = useState(false);
  const isConfirmed = isTicked || isDownloaded;
  const token = /([^/]+)\.pdf$/.exec(logins.links.logins)?.[1];
  useUnsavedWork(true);

  return (
    <div className={css.content}>
      <Notice isOutcome kind="success" title="The pupils have been created and added to your school">
        {logins.summary}
      </Notice>
      {token !== undefined && logins.count !== undefined && logins.count <= CARDS_AT_ONCE && (
        <CardSheet source={{ token }} onPrint={() => setPrinting(true)} />
      )}
      {isPrinting && (
        <Notice
          title="Did the cards print?"
          action={
            <>
              <Button size="sm" data-autofocus onClick={onClose}>
                Yes
              </Button>
              <Button size="sm" variant="default" onClick={() => setPrinting(false)}>
                No
              </Button>
            </>
          }
        >
          Yes closes this dialog. We cannot show these passwords again.
        </Notice>
      )}
      <p>
        Print the cards or download the logins now. We cannot show these passwords again: a pupil who loses one needs a
        new one.
      </p>
      <LoginDownloads isAside links={logins.links} onDownloaded={() => setDownloaded(true)} />
      <Checkbox
        label="I have downloaded the files"
        checked={isConfirmed}
        onChange={(event) => setTicked(event.currentTarget.checked)}
      />
      <div className={css.close}>
        <DisabledReasonButton
          side="above"
          disabledReason={isConfirmed ? undefined : 'Confirm that you have downloaded the files first.'}
          onClick={onClose}
        >
          Close
        </DisabledReasonButton>
      </div>
    </div>
  );
}
