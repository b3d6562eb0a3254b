import { Button } from '../../../../ui/Button.tsx';
import { useState } from 'react';
import type { Pupil } from '#contract/calls/pupils.ts';
import type { Need } from '#contract/calls/reading-needs.ts';
import { paths } from '../../../../paths.ts';
import { canAssignBooks, canRenewLogin } from '../../../../shared/can.ts';
import { useUser } from '../../../../shared/session.ts';
import type { DayRange } from '../../../../ui/date-range.ts';
import { ButtonLink } from '../../../../ui/ButtonLink.tsx';
import { SuggestBooksDialog } from '../../../books/books/suggestions.public.ts';
import { ResetPasswords } from '../../login-cards/login-cards.public.ts';
import { PrintWordsDialog } from '../../../reading/reading-needs/reading-needs.public.ts';
import { nextStep } from '../model/next-step.ts';

interface Props {
  pupil: Pick<Pupil, 'id' | 'name' | 'group' | 'can_update'>;
  need: Need;
  /** The pupil's current level, if the pupil has read recently. */
  level: number | null;
  /** The days that were evaluated. */
  days: DayRange;
}

/** The one thing to do about a reason. Absent if the user cannot do it. */
export function NextStep({ pupil, need, level, days }: Props) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const user = useUser();
  const step = nextStep(need, level);
  if (step.kind === 'password' && !canRenewLogin(user, pupil)) return null;
  if ((step.kind === 'library' || step.kind === 'books') && !canAssignBooks(user, pupil.can_update)) return null;
  if (step.kind === 'library')
    return (
      <ButtonLink to={paths.pupilBooks(pupil.id, pupil.group?.id)} size="sm">
        Assign books
      </ButtonLink>
    );
  return (
    <>
      <Button size="sm" onClick={() => setOpen(true)}>
        {step.text}
      </Button>
      {step.kind === 'password' && <ResetPasswords pupils={[pupil]} isOpen={isOpen} onClose={close} />}
      {step.kind === 'words' && (
        <PrintWordsDialog
          source={{ kind: 'pupils', pupils: [pupil] }}
          {...(step.words && { words: step.words })}
          range={{ from: days.from, to: days.to }}
          isOpen={isOpen}
          onClose={close}
        />
      )}
      {step.kind === 'books' && (
        <SuggestBooksDialog
          suggestion={{ pupil, classId: pupil.group?.id, level: step.level, count: step.count }}
          isOpen={isOpen}
          onClose={close}
        />
      )}
    </>
  );
}
