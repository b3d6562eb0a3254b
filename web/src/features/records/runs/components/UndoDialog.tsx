import { useQuery } from '@tanstack/react-query';
import type { Run, UndoPlan } from '#contract/calls/runs.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { Confirm } from '../../../../ui/Confirm.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { DEFAULT_SUCCESS, showToast } from '../../../../ui/toasts.ts';
import { undoInWords } from '../model/run-text.ts';
import { runQuery, useUndoRun } from '../runs.api.ts';
import { SkippedList } from './SkippedList.tsx';

const UNDO_CHANGES = { title: 'Undo these changes?', action: 'Undo the changes', done: 'The changes have been undone' };

const TEXTS: Record<Run['kind'], { title: string; action: string; done: string }> = {
  list: { title: 'Undo this list?', action: 'Undo the list', done: 'The list has been undone' },
  oneroster: UNDO_CHANGES,
  ctf: UNDO_CHANGES,
  atf: UNDO_CHANGES,
  year_end: { title: 'Undo the year end?', action: 'Undo the year end', done: 'The year end has been undone' },
};

interface Props {
  run: Pick<Run, 'id' | 'kind'>;
  isOpen: boolean;
  onClose: () => void;
  onUndone: (skipped: UndoPlan['skipped']) => void;
}

/** Asks before a run is undone, and says what that does now. */
export function UndoDialog({ run, isOpen, onClose, onUndone }: Props) {
  const schoolId = useSchoolId();
  const { data, error, refetch } = useQuery({ ...runQuery(schoolId, run.id), enabled: isOpen });
  const undo = useUndoRun(schoolId);
  const { title, action, done } = TEXTS[run.kind];
  return (
    <Confirm
      isOpen={isOpen}
      onClose={onClose}
      title={title}
      action={action}
      lost="Nothing has been changed."
      onConfirm={async () => {
        const { skipped } = await undo.mutateAsync(run.id);
        onUndone(skipped);
        showToast(DEFAULT_SUCCESS, { detail: done });
      }}
    >
      {error && !data && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {data?.undo && <WhatHappens plan={data.undo} />}
      <p className="note">Pupils in the archive keep their reading, and can be restored there.</p>
    </Confirm>
  );
}

function WhatHappens({ plan }: { plan: UndoPlan }) {
  const effects = undoInWords(plan);
  return (
    <>
      {effects.length > 0 ? (
        <ul>
          {effects.map((effect) => (
            <li key={effect}>{effect}</li>
          ))}
        </ul>
      ) : (
        <p>Everything was changed since, so nothing would be undone.</p>
      )}
      {plan.skipped.length > 0 && (
        <details>
          <summary>
            {plan.skipped.length === 1 ? '1 thing stays' : `${plan.skipped.length} things stay`} as it is now
          </summary>
          <SkippedList skipped={plan.skipped} />
        </details>
      )}
    </>
  );
}
