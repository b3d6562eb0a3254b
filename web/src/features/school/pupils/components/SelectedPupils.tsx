import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Pupil } from '#contract/calls/pupils.ts';
import { can, canEditPupils } from '../../../../shared/can.ts';
import { useSchoolId, useUser } from '../../../../shared/session.ts';
import { ActionMenu, MenuButton } from '../../../../ui/ActionMenu.tsx';
import { DisabledReasonButton } from '../../../../ui/DisabledReasonButton.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { useCanChange, useSchool } from '../../school/school.public.ts';
import { PUPIL_ACTIONS } from './PupilActions.tsx';

type PupilsAction = (typeof PUPIL_ACTIONS)[number];

const NO_PUPILS: readonly Pupil[] = [];

interface Props {
  pupils: readonly Pupil[];
  /** The user may delete pupils. */
  isAdmin: boolean;
  /** Called after a change, to clear the selection. */
  onDone: () => void;
}

/** Actions for the selected pupils, who may be in different classes. */
export function SelectedPupils({ pupils, isAdmin, onDone }: Props) {
  const schoolId = useSchoolId();
  const user = useUser();
  const canChange = useCanChange();
  const hasStatistics = useSchool()?.features.includes('new_statistics') ?? false;
  const [open, setOpen] = useState<{ action: PupilsAction; pupils: readonly Pupil[] } | null>(null);
  const run = useMutation({
    mutationFn: (action: PupilsAction) => action.run?.(pupils, schoolId) ?? Promise.resolve(),
  });

  const has = { admin: isAdmin, 'pupils to edit': canEditPupils(user), statistics: hasStatistics };
  const offered = PUPIL_ACTIONS.filter(({ needs, right }) => (!needs || has[needs]) && (!right || can(user, right)));
  const actions = offered.filter(
    ({ isChange, button }) => (!isChange || canChange) && (button === 'always' || pupils.length > 0),
  );
  const propsOf = (action: PupilsAction) => ({
    disabledReason: action.disabledReason?.(pupils, user),
    onClick: () => (action.run ? run.mutate(action) : setOpen({ action, pupils })),
    children: action.label,
  });

  return (
    <>
      {actions
        .filter(({ button }) => button)
        .map((action) => (
          <DisabledReasonButton key={action.label} variant="default" side="above" {...propsOf(action)} />
        ))}
      {pupils.length > 0 && (
        <ActionMenu label="More actions for the selected pupils" text="More">
          {actions
            .filter(({ button }) => !button)
            .map((action) => (
              <MenuButton key={action.label} {...propsOf(action)} />
            ))}
        </ActionMenu>
      )}
      {run.error && <ErrorNotice error={run.error} />}
      {offered.map(
        ({ label, Dialog }) =>
          Dialog && (
            <Dialog
              key={label}
              pupils={open?.action.label === label ? open.pupils : NO_PUPILS}
              isOpen={open?.action.label === label}
              onClose={() => setOpen(null)}
              onDone={onDone}
            />
          ),
      )}
    </>
  );
}
