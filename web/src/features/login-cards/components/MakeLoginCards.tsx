import { Button } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { CARDS_AT_ONCE } from '#contract/limits.ts';
import { paths } from '../../../paths.ts';
import { count } from '../../../shared/format.ts';
import { useSchoolId } from '../../../shared/session.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogButtons } from '../../../ui/DialogForm.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { useMakeLoginCards, usePasswordReset } from '../login-cards.api.ts';
import css from './MakeLoginCards.module.css';
import { CardSheet } from './CardSheet.tsx';
import { LoginDownloads } from './LoginDownloads.tsx';

interface Props {
  /** The pupils who get a new card. Empty while the dialog is closed. */
  pupils: readonly { id: number; name: string }[];
  isOpen: boolean;
  onClose: () => void;
  onMade?: () => void;
}

/** Makes new login cards and shows them at once, for a child who is waiting or for a whole selection. */
export function MakeLoginCards({ pupils, isOpen, onClose, onMade }: Props) {
  const whose = pupils.length === 1 && pupils[0] ? pupils[0].name : count(pupils.length, 'pupil');
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={pupils.length === 1 ? `New login card for ${whose}` : `New login cards for ${whose}`}
      size="lg"
    >
      <Content pupils={pupils} onClose={onClose} onMade={onMade} />
    </Dialog>
  );
}

function Content({ pupils, onClose, onMade }: Omit<Props, 'isOpen'>) {
  const schoolId = useSchoolId();
  const navigate = useNavigate();
  const make = useMakeLoginCards(schoolId);
  const reset = usePasswordReset(schoolId);
  const [error, setError] = useState<unknown>(null);
  // Kept while the cards are shown, because the selection behind the dialog is cleared.
  const [isOne] = useState(pupils.length === 1);

  const begin = async () => {
    setError(null);
    const ids = pupils.map(({ id }) => id);
    try {
      // A job makes the cards when there are too many to wait for. The page of the logins follows it.
      if (ids.length > CARDS_AT_ONCE) void navigate(paths.logins((await reset.start(ids)).reset.id));
      else await make.mutateAsync(ids);
      onMade?.();
    } catch (failure) {
      setError(failure);
    }
  };

  if (make.data)
    return (
      <>
        <CardSheet source={{ resetId: make.data.id }} takesFocus />
        {make.data.links && (
          <details className={css.files}>
            <summary>Other sizes and a spreadsheet</summary>
            <LoginDownloads links={make.data.links} />
          </details>
        )}
        <DialogButtons>
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
        </DialogButtons>
      </>
    );
  return (
    <>
      <p>
        {isOne ? 'The old password ends' : 'The old passwords end'} at once, and{' '}
        {isOne ? 'the new card is' : 'the new cards are'} shown here to print.
      </p>
      {error !== null && <ErrorNotice error={error} />}
      <DialogButtons>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button data-autofocus loading={make.isPending || reset.status === 'loading'} onClick={() => void begin()}>
          {isOne ? 'Make new card' : 'Make new cards'}
        </Button>
      </DialogButtons>
    </>
  );
}
