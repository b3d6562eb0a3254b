import { useState } from 'react';
import type { Program } from '#contract/calls/programs.ts';
import { announce } from '../../../../shared/announcements.ts';
import { Dialog } from '../../../../ui/Dialog.tsx';
import { type ClassChoice, ProgramForm } from './ProgramForm.tsx';
import { ProgramToken } from './ProgramToken.tsx';

interface Props {
  isOpen: boolean;
  onClose: () => void;
  /** The program to change. Without it, a new one is made. */
  program: Program | undefined;
  classes: readonly ClassChoice[];
}

/** Changes a program, or makes one and shows its token, which closes only by its button: it cannot be shown again. */
export function ProgramDialog({ isOpen, onClose, program, classes }: Props) {
  const [made, setMade] = useState<{ name: string; token: string } | null>(null);
  const close = () => {
    setMade(null);
    onClose();
  };
  const title = program ? `Change ${program.name}` : 'Add a program';
  return (
    <Dialog
      isOpen={isOpen}
      onClose={close}
      title={made ? `Token of ${made.name}` : title}
      size="lg"
      canClose={made === null}
    >
      {made ? (
        <ProgramToken token={made.token} onClose={close} />
      ) : (
        <ProgramForm
          program={program}
          classes={classes}
          onClose={close}
          onMade={(name, token) => {
            setMade({ name, token });
            announce(`${name} has been added. Copy its token now.`);
          }}
        />
      )}
    </Dialog>
  );
}
