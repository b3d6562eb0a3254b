import { IconPrinter } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import type { Cover } from '#contract/calls/covers.ts';
import { today } from '../../../../shared/school-day.ts';
import { Button } from '../../../../ui/Button.tsx';
import { DialogButtons } from '../../../../ui/DialogForm.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { PageSkeleton } from '../../../../ui/PageSkeleton.tsx';
import type { CardMaking } from '../covers.api.ts';
import { SupplyCard } from './SupplyCard.tsx';

interface Props {
  cover: Cover;
  making: CardMaking;
  onClose: () => void;
}

/** A supply teacher's new card, ready to print, or why there is none. */
export function NewCard({ cover, making, onClose }: Props) {
  const card = making.data?.card;
  const print = useRef<HTMLButtonElement>(null);
  const isReady = card !== undefined;
  // Once the dialog has remembered which button opened it.
  useEffect(() => {
    if (isReady) print.current?.focus({ preventScroll: true });
  }, [isReady]);
  const lastsLonger = today(Date.parse(cover.ends_at)) > today();
  return (
    <>
      {making.isPending && <PageSkeleton />}
      {making.error && (
        <ErrorNotice
          error={making.error}
          lost="The cover goes on, but there is no card yet."
          onRetry={() => making.mutate(cover.id)}
        />
      )}
      {card && (
        <>
          <SupplyCard card={card} />
          <p className="flat above-l">
            Print it now: we cannot show this code again.
            {lastsLonger && ' It works today only. On each further day, make a new card.'}
          </p>
        </>
      )}
      <DialogButtons>
        <Button variant="default" disabled={making.isPending} onClick={onClose}>
          Close
        </Button>
        {card && (
          <Button ref={print} leftSection={<IconPrinter size={20} aria-hidden />} onClick={() => window.print()}>
            Print
          </Button>
        )}
      </DialogButtons>
    </>
  );
}
