import { useState } from 'react';
import type { Cover } from '#contract/calls/covers.ts';
import type { Class } from '#contract/calls/school.ts';
import { fullName } from '../../../../shared/format.ts';
import { untilFromNow } from '../../../../shared/moment-in-words.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { Dialog } from '../../../../ui/Dialog.tsx';
import { showToast } from '../../../../ui/toasts.ts';
import { useSchool } from '../../school/school.public.ts';
import { useMakeCard } from '../covers.api.ts';
import { CoverForm } from './CoverForm.tsx';
import { NewCard } from './NewCard.tsx';

interface Props {
  schoolClass: Class;
  isOpen: boolean;
  onClose: () => void;
}

/** Lets a colleague or a supply teacher cover a class. A supply teacher's card follows in the same dialog. */
export function CoverDialog({ schoolClass, isOpen, onClose }: Props) {
  const staff = useSchool()?.users;
  const making = useMakeCard(useSchoolId());
  const [supply, setSupply] = useState<Cover | null>(null);
  const close = () => {
    onClose();
    setSupply(null);
    making.reset();
  };
  const onStarted = async (cover: Cover) => {
    if (!cover.is_supply) {
      showToast('The cover has started', {
        detail: `${fullName(cover.user)} covers ${cover.group.name} until ${untilFromNow(cover.ends_at)}`,
      });
      return close();
    }
    // A failure is shown in place of the card.
    await making.mutateAsync(cover.id).catch(() => undefined);
    setSupply(cover);
  };
  return (
    <Dialog
      isOpen={isOpen}
      onClose={close}
      title={supply ? `Card for ${fullName(supply.user)}` : `Let someone cover ${schoolClass.name}`}
    >
      {supply ? (
        <NewCard cover={supply} making={making} onClose={close} />
      ) : (
        staff && <CoverForm schoolClass={schoolClass} staff={staff} onStarted={onStarted} onCancel={close} />
      )}
    </Dialog>
  );
}
