import type { Cover } from '#contract/calls/covers.ts';
import { fullName } from '../../../../shared/format.ts';
import { Button } from '../../../../ui/Button.tsx';
import { Dialog } from '../../../../ui/Dialog.tsx';
import { DialogButtons } from '../../../../ui/DialogForm.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import type { CardMaking } from '../covers.api.ts';
import { NewCard } from './NewCard.tsx';

interface Props {
  cover: Cover;
  making: CardMaking;
  /** There is a card already. */
  isReplacement: boolean;
  isOpen: boolean;
  onClose: () => void;
}

/** A new card for a supply teacher. One that replaces another is confirmed first. */
export function CardDialog({ cover, making, isReplacement, isOpen, onClose }: Props) {
  const name = fullName(cover.user);
  const isQuestion = isReplacement && making.data === undefined;
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      canClose={!making.isPending}
      title={isQuestion ? `Make a new card for ${name}?` : `Card for ${name}`}
    >
      {isQuestion ? (
        <>
          <p>
            {cover.code === 'used'
              ? 'The device on which they logged in is logged out. They log in again with the new card.'
              : 'The current card stops working.'}
          </p>
          {making.error && (
            <ErrorNotice error={making.error} lost="There is no new card. The current one still works." />
          )}
          <DialogButtons>
            <Button variant="default" disabled={making.isPending} onClick={onClose}>
              Cancel
            </Button>
            <Button data-autofocus loading={making.isPending} onClick={() => making.mutate(cover.id)}>
              Make a new card
            </Button>
          </DialogButtons>
        </>
      ) : (
        <NewCard cover={cover} making={making} onClose={onClose} />
      )}
    </Dialog>
  );
}
