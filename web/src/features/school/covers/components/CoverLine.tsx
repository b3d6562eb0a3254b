import { useState } from 'react';
import type { Cover } from '#contract/calls/covers.ts';
import { fullName } from '../../../../shared/format.ts';
import { untilFromNow } from '../../../../shared/moment-in-words.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { Button } from '../../../../ui/Button.tsx';
import { lazyDialog } from '../../../../ui/lazy-dialog.tsx';
import { WhileOpen } from '../../school/school.public.ts';
import { useMakeCard } from '../covers.api.ts';

const CardDialog = lazyDialog(async () => (await import('./CardDialog.tsx')).CardDialog);

const CODE_STATES = { none: null, unused: 'Card not used yet', used: 'Logged in with the card' };

/** One person who covers the class, and what can be done about it. */
export function CoverLine({ cover, onEnd }: { cover: Cover; onEnd: () => void }) {
  const making = useMakeCard(useSchoolId());
  const [open, setOpen] = useState<'first' | 'replacement' | null>(null);
  const name = fullName(cover.user);
  const state = cover.code && CODE_STATES[cover.code];
  const hasCard = cover.code !== 'none';
  // A new card ends the one before, so it is confirmed first.
  const openCard = () => {
    setOpen(hasCard ? 'replacement' : 'first');
    if (!hasCard) making.mutate(cover.id);
  };
  return (
    <li>
      <div className="row">
        <p className="flat">
          Covered by <strong>{name}</strong>
          {cover.is_supply && ' (supply teacher)'} until {untilFromNow(cover.ends_at)}
          {state && <span className="soft small block">{state}</span>}
        </p>
        <div className="cluster no-print">
          {cover.is_supply && (
            <WhileOpen>
              <Button
                size="sm"
                variant="default"
                aria-label={`Make a ${hasCard ? 'new ' : ''}card for ${name}`}
                onClick={openCard}
              >
                {hasCard ? 'Make a new card' : 'Make a card'}
              </Button>
            </WhileOpen>
          )}
          <Button size="sm" variant="default" aria-label={`End cover by ${name}`} onClick={onEnd}>
            End cover
          </Button>
        </div>
      </div>
      <CardDialog
        cover={cover}
        making={making}
        isReplacement={open === 'replacement'}
        isOpen={open !== null}
        onClose={() => {
          setOpen(null);
          making.reset();
        }}
      />
    </li>
  );
}
