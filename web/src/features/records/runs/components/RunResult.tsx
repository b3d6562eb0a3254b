import { useState } from 'react';
import type { Run, RunChanges as Changes, UndoPlan } from '#contract/calls/runs.ts';
import { formatDate, formatMoment } from '../../../../shared/format.ts';
import { Button } from '../../../../ui/Button.tsx';
import { Notice } from '../../../../ui/Notice.tsx';
import { WhileOpen } from '../../../school/school/school.public.ts';
import { changesInWords, stateInWords } from '../model/run-text.ts';
import { RunChanges } from './RunChanges.tsx';
import { SkippedNotice } from './SkippedNotice.tsx';
import { UndoDialog } from './UndoDialog.tsx';

interface Props {
  run: Run;
  /** Null when they are no longer stored. */
  changes: Changes | null;
  onUndone?: () => void;
}

/** What a run has changed, with its undo. */
export function RunResult({ run, changes, onUndone }: Props) {
  const [isAsking, setAsking] = useState(false);
  const [skipped, setSkipped] = useState<UndoPlan['skipped']>([]);
  const { closed_at: at, undo_until: until } = run;
  return (
    <>
      <Notice
        kind={run.state === 'applied' ? 'success' : 'info'}
        title={stateInWords(run)}
        action={
          until && (
            <WhileOpen>
              <Button variant="default" size="sm" onClick={() => setAsking(true)}>
                Undo
              </Button>
            </WhileOpen>
          )
        }
      >
        {at && run.origin !== null && `${formatMoment(at)}. `}
        {run.counts && `${changesInWords(run.counts, run.kind)}. `}
        {run.state === 'expired' && 'No one applied this plan within 30 days. Upload a current file, or check again. '}
        {until && `You can undo it until ${formatDate(until)}.`}
      </Notice>
      <SkippedNotice skipped={skipped} />
      {changes && <RunChanges run={run} changes={changes} />}
      <UndoDialog
        run={run}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onUndone={(notUndone) => {
          setSkipped(notUndone);
          onUndone?.();
        }}
      />
    </>
  );
}
